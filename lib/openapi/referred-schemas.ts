/** The schemas that `value` refers to, directly or through other schemas. */
export function referredSchemas(schemas: Readonly<Record<string, unknown>>, value: unknown): Record<string, unknown> {
  const names = new Set<string>();
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name]);
    }
  };
  visit(value);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}
