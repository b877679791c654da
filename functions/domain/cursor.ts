import { isSessionId, sha256 } from './identifier.ts';

/** What a list was asked for; a cursor is good for exactly that. */
export interface SessionFilter {
  readonly practiceId: string;
  readonly statuses: readonly string[];
  readonly invoiceId: string | undefined;
}

function fingerprint({ practiceId, statuses, invoiceId }: SessionFilter, sessionId: string): string {
  return sha256(JSON.stringify([practiceId, [...statuses].sort(), invoiceId ?? null, sessionId])).slice(0, 16);
}

/** The place after a session in a list, `cur_<id>`. It is a place only: it gives no right to anything. */
export function cursorAfter(sessionId: string, filter: SessionFilter): string {
  return `cur_${sessionId.slice('ses_'.length)}${fingerprint(filter, sessionId)}`;
}

/** The session that a cursor stands after, or undefined where it was not given for this list. */
export function sessionIdOfCursor(cursor: string, filter: SessionFilter): string | undefined {
  const sessionId = `ses_${cursor.slice('cur_'.length, 'cur_'.length + 26)}`;
  return isSessionId(sessionId) && cursor === cursorAfter(sessionId, filter) ? sessionId : undefined;
}
