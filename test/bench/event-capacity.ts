import { day, toIso } from '../../functions/domain/time.ts';
import { listEvents } from '../../functions/webhooks/list-events.ts';
import { capacityTable } from './list-capacity.ts';
import { fillEvents } from './fill-payments.ts';

const now = Date.now();

const pages = [
  ['first page, no filter', {}],
  ['created in the last 20 days', { since: toIso(now - 20 * day) }],
  ['a type that all have', { type: ['session.payment.succeeded'] }],
  ['a type that only the oldest has', { type: ['session.payment.returned'] }],
  ['none since the last poll', { since: toIso(now) }],
] as const;

export async function benchEventCapacity(): Promise<string> {
  return capacityTable({
    rows: 'events',
    fill: (database, size) => fillEvents(database, `prc_${size}`, size, now),
    pages: pages.map(([name, filter]) => ({
      name,
      async read(database, size) {
        const query = { practiceId: `prc_${size}`, ...filter, limit: 25 };
        return (await listEvents({ database }, query, now)).events.length;
      },
    })),
  });
}
