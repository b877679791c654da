import { isSessionId, sha256 } from './identifier.ts';

export interface SessionFilter {
  readonly practiceId: string;
  readonly statuses: readonly string[];
  readonly invoiceId: string | undefined;
}

export function cursorAfter(sessionId: string, filter: SessionFilter): string {
  return `cur_${sessionId.slice('ses_'.length)}${fingerprint(filter, sessionId)}`;
}

export function sessionIdOfCursor(cursor: string, filter: SessionFilter): string | undefined {
  const sessionId = `ses_${cursor.slice('cur_'.length, 'cur_'.length + 26)}`;
  return isSessionId(sessionId) && cursor === cursorAfter(sessionId, filter) ? sessionId : undefined;
}

function fingerprint({ practiceId, statuses, invoiceId }: SessionFilter, sessionId: string): string {
  return sha256(JSON.stringify([practiceId, [...statuses].sort(), invoiceId ?? null, sessionId])).slice(0, 16);
}
