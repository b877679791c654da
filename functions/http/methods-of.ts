/** `methodsByPath` has paths such as `/api/practice/sessions/{sessionId}/status`. */
export function methodsOf(methodsByPath: Readonly<Record<string, readonly string[]>>, path: string): string[] {
  const parts = path.split('/');
  const matching = Object.entries(methodsByPath).filter(([declared]) => matches(declared.split('/'), parts));
  return [...new Set(matching.flatMap(([, methods]) => methods))].sort();
}

function matches(declared: readonly string[], parts: readonly string[]): boolean {
  return (
    declared.length === parts.length &&
    declared.every((segment, index) => (segment.startsWith('{') ? parts[index] !== '' : segment === parts[index]))
  );
}
