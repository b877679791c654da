import { randomBytes } from 'node:crypto';
import type { Table } from '../../functions/contract/environment.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { day } from '../../functions/domain/time.ts';
import type { Database } from '../../functions/store/database.ts';
import { putEvent } from '../../functions/store/webhooks/events.ts';
import { aSession } from '../support/examples.ts';
import { writeAll } from '../support/put-all.ts';

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
