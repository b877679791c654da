import { randomBytes } from 'node:crypto';
import type { Table } from '../../functions/contract/environment.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { day, toIso } from '../../functions/domain/time.ts';
import type { Database } from '../../functions/store/database.ts';
import { listAttributes } from '../../functions/store/sessions/sessions.ts';
import { aSession } from '../support/examples.ts';
import { putAll, writeAll } from '../support/put-all.ts';
import { putEvent } from '../../functions/store/webhooks/events.ts';

const debitReturn = { return: { code: 'account_closed', returnedAt: toIso(Date.now()) } } as const;

/** All sessions succeeded except the oldest, which failed. The second was returned. */
export async function fillSessions(
  database: Database<Table>,
  practiceId: string,
  count: number,
  invoiceOf = (index: number) => `INV-${index}`,
): Promise<void> {
  const start = Date.now() - count * 1000;
  const rows = Array.from({ length: count }, (_, index): Session => {
    const sessionId = `ses_${ulid(start + index * 1000, randomBytes)}`;
    const created = { practiceId, sessionId, invoiceId: invoiceOf(index) };
    return aSession({ ...created, status: index === 0 ? 'failed' : 'succeeded', ...(index === 1 && debitReturn) });
  });
  await putAll(
    database,
    'sessions',
    rows.map((row) => ({ ...row, ...listAttributes(row) })),
  );
}

/** Spreads events evenly over the 29 days before `now`. All sessions succeeded; the oldest event is a return. */
export async function fillEvents(
  database: Database<Table>,
  practiceId: string,
  count: number,
  now: number,
): Promise<void> {
  const step = (29 * day) / count;
  const puts = Array.from({ length: count }, (_, index) => {
    const at = Math.floor(now - (count - index) * step);
    const session = aSession({
      practiceId,
      sessionId: `ses_${ulid(at, randomBytes)}`,
      status: 'succeeded',
      sequence: 2,
    });
    const type = index === 0 ? 'session.payment.returned' : 'session.payment.succeeded';
    return putEvent(database, type, session, 'processing', at);
  });
  await writeAll(database, puts);
}
