/** `missing` stops the deploy or the service, `warning` does not, and `unknown` could not be checked. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'missing' | 'unknown';
  /** One line that says what to do. */
  readonly text: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });
export const missing = (text: string): Finding => ({ level: 'missing', text });

/** Turns a denied request into a finding. `subject` starts its line, `action` is the permission that the check needs. */
export async function look(subject: string, action: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('unknown error');
    return [
      {
        level: 'unknown',
        text: /AccessDenied|NotAuthorized|Unauthorized/.test(name)
          ? `${subject}: could not check. ${name}: needs ${action}.`
          : `${subject}: could not check. ${name}: ${message.split('\n')[0]}`,
      },
    ];
  }
}

/** Whether AWS's error says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && /^(ResourceNotFoundException|NotFoundException)$/.test(error.name);
}
