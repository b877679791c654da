/** `missing` stops a deploy or the service; `warning` does not; `unknown` could not be looked at. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'missing' | 'unknown';
  /** One line, with what to do. */
  readonly text: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });
export const missing = (text: string): Finding => ({ level: 'missing', text });

/** What AWS refuses to show is a finding, too. `subject` begins the line, `action` is the permission that the look needs. */
export async function look(subject: string, action: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('unknown error');
    return [
      {
        level: 'unknown',
        text: /AccessDenied|NotAuthorized|Unauthorized/.test(name)
          ? `${subject}: could not look. ${name}: needs ${action}.`
          : `${subject}: could not look. ${name}: ${message.split('\n')[0]}`,
      },
    ];
  }
}

/** AWS says so with an error. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && /^(ResourceNotFoundException|NotFoundException)$/.test(error.name);
}
