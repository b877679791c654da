import type { Table } from '../../functions/contract/environment.ts';
import { toIso } from '../../functions/domain/time.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { startService } from '../payments/service.ts';
import { outcomeDelay } from '../payments/banks.ts';
import { aPractice } from '../support/examples.ts';
import { storeEndpoint } from '../support/webhook-endpoint.ts';
import { table } from './report.ts';
import { startMeteredTables } from './tables.ts';

/** The harness writes this table with every session. */
const notOfTheSession: Table = 'practices';

/** What each step of a paid session writes, with indexes and transactions. */
export async function benchWriteUnits(): Promise<string> {
  await using metered = await startMeteredTables();
  const { meter, database } = metered;
  const practice = aPractice();
  // Only an endpoint's first delivery records itself in the endpoint.
  const firstDeliveredAt = toIso(Date.now());
  await storeEndpoint(database, { practiceId: practice.practiceId, firstDeliveredAt });
  const service = startService({ database, practice });
  service.clock.now = Date.now();

  const nameOf = new Map(Object.entries(database.tables).map(([name, tableName]) => [tableName, name]));
  const lines: string[][] = [];
  const total = { all: 0, sandbox: 0 };
  async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    meter.reset();
    const result = await work();
    const units = [...meter.writeUnits]
      .map(([tableName, count]) => ({ of: nameOf.get(tableName) ?? tableName, count }))
      .filter(({ of }) => of !== notOfTheSession);
    const all = units.reduce((sum, { count }) => sum + count, 0);
    total.all += all;
    total.sandbox += units.find(({ of }) => of === 'sandboxDebits')?.count ?? 0;
    lines.push([name, String(all), units.map(({ of, count }) => `${of} ${count}`).join(', ')]);
    return result;
  }
  async function deliver(event: string): Promise<void> {
    const [sent] = service.traffic.deliveries.splice(0);
    if (!sent) throw new Error('the event has no delivery');
    await step(`deliver ${event}`, () => service.deliver(sent.ticket));
  }

  const sessionId = await step('create', () => service.create('INV-1043'));
  await step('open', () => service.open(sessionId));
  await step('connect a bank', () => service.connectBank(sessionId, 'user_good'));
  await step('authorize', () => service.authorize(sessionId));
  await step('dispatch `processing`', () => service.dispatch(sessionEventId(sessionId, 1)));
  await deliver('`processing`');
  await step('submit the debit', () => service.submit(sessionId));
  service.clock.now += outcomeDelay;
  await step('settle', () => service.settle(sessionId));
  await step('dispatch `succeeded`', () => service.dispatch(sessionEventId(sessionId, 2)));
  await deliver('`succeeded`');
  const { status } = await service.session(sessionId);
  if (status !== 'succeeded') throw new Error(`the session is ${status}`);
  lines.push(['in all', String(total.all), `without the sandbox bank's: ${total.all - total.sandbox}`]);
  return table(['step of a paid session', 'WRU', 'by table'], lines);
}
