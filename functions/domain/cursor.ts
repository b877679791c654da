import { isSessionId, sha256 } from './identifier.ts';

/** The filters of a list. A cursor is valid only with the filters it was issued for. */
export interface SessionFilter {
  readonly practiceId: string;
  readonly statuses: readonly string[];
  readonly invoiceId: string | undefined;
}

/** The cursor of the page that starts after a session. It marks a position and grants no access. */
export function cursorAfter(sessionId: string, filter: SessionFilter): string {
  return `cur_${sessionId.slice('ses_'.length)}${fingerprint(filter, sessionId)}`;
}

/** The session that a cursor's page starts after; undefined if the cursor was not issued for these filters. */
export function sessionIdOfCursor(cursor: string, filter: SessionFilter): string | undefined {
  const sessionId = `ses_${cursor.slice('cur_'.length, 'cur_'.length + 26)}`;
  return isSessionId(sessionId) && cursor === cursorAfter(sessionId, filter) ? sessionId : undefined;
}

function fingerprint({ practiceId, statuses, invoiceId }: SessionFilter, sessionId: string): string {
  return sha256(JSON.stringify([practiceId, [...statuses].sort(), invoiceId ?? null, sessionId])).slice(0, 16);
}
