import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyResultV2, Context } from 'aws-lambda';
import { settingVariables, tableVariables, type Table } from '../../functions/contract/environment.ts';
import { defaultScopes } from '../../functions/domain/practices/api-key.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import { toIso } from '../../functions/domain/time.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { addKey } from '../../functions/practices/keys.ts';
import type { Database } from '../../functions/store/database.ts';
import { insert } from '../../functions/store/rows.ts';
import { outcomeDelay } from '../payments/banks.ts';
import { startService } from '../payments/service.ts';
import { author } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { lambdaContext, stageVariablesOfTests } from '../support/http-request.ts';
import { storeEndpoint } from '../support/webhook-endpoint.ts';
import { table } from './report.ts';
import { startMeteredTables } from './tables.ts';

interface Caller {
  readonly apiKey: string;
  /** The practice that a platform's key names. */
  readonly header?: string;
}
type Handler = (event: never, context: Context) => Promise<APIGatewayProxyResultV2>;

const platformId = 'plt_bench';
const now = Date.now();
const since = toIso(now);
const joined = { platformId, platformSince: since };

/** What a call and an event cost with a platform's key and endpoint, and with a practice's own. */
export async function benchPlatformCapacity(): Promise<string> {
  await using metered = await startMeteredTables();
  const { meter, database } = metered;

  async function unitsOf(work: () => Promise<unknown>) {
    meter.reset();
    await work();
    const total = (units: ReadonlyMap<string, number>) => [...units.values()].reduce((sum, count) => sum + count, 0);
    return { reads: total(meter.readUnits), writes: total(meter.writeUnits) };
  }
  type Units = Awaited<ReturnType<typeof unitsOf>>;
  const shown = ({ reads, writes }: Units) => `${reads} RRU, ${writes} WRU`;

  const platform = { platformId, name: 'Harbor Software', createdAt: since, applicationFeeCents: 30 };
  await insert(database, 'platforms', platform, 'platformId');
  const aPracticeWith = async (practiceId: string, differences: Partial<Practice>) => {
    const practice = aPractice({ practiceId, ...differences });
    await insert(database, 'practices', practice, 'practiceId');
    return practice;
  };
  const alone = await aPracticeWith('prc_alone', {});
  const own = await aPracticeWith('prc_own', joined);
  const served = await aPracticeWith('prc_served', joined);
  const keyOf = async (practiceId: string) => {
    const key = { practiceId, name: 'bench', scopes: [...defaultScopes], author };
    return (await addKey({ database, mode: 'sandbox', randomBytes }, key, now)).apiKey;
  };
  const callers: Caller[] = [
    { apiKey: await keyOf(alone.practiceId) },
    { apiKey: await keyOf(own.practiceId) },
    { apiKey: await keyOf(platformId), header: served.practiceId },
  ];

  setEnvironment(meter.endpoint, database.tables);
  const handlers = {
    'create a session': (await import('../../functions/practice-api/create-session.ts')).handler,
    'list sessions': (await import('../../functions/practice-api/list-sessions.ts')).handler,
  };
  const lines: string[][] = [];
  for (const [name, handler] of Object.entries<Handler>(handlers)) {
    const costs: Units[] = [];
    for (const caller of callers) {
      // The first request records the day of the key's use and takes a block of the rate limit.
      await send(handler, caller);
      costs.push(await unitsOf(() => send(handler, caller)));
    }
    lines.push([name, ...costs.map(shown)]);
  }

  const events: string[][] = [[], []];
  for (const [practice, owner] of [
    [alone, alone.practiceId],
    [own, own.practiceId],
    [served, platformId],
  ] as const) {
    await storeEndpoint(database, { practiceId: owner, firstDeliveredAt: since });
    const service = startService({ database, practice });
    service.clock.now = Date.now();
    const sessionId = await service.create('INV-1043');
    await service.connectBank(sessionId, 'user_good');
    await service.authorize(sessionId);
    await service.submit(sessionId);
    service.clock.now += outcomeDelay;
    await service.settle(sessionId);
    events[0]?.push(shown(await unitsOf(() => service.dispatch(sessionEventId(sessionId, 2)))));
    const sent = service.traffic.deliveries.at(-1);
    if (!sent) throw new Error('the event has no delivery');
    events[1]?.push(shown(await unitsOf(() => service.deliver(sent.ticket))));
  }
  lines.push(['dispatch an event', ...(events[0] ?? [])], ['deliver it', ...(events[1] ?? [])]);
  return table(
    ['call or event', 'practice in no platform', 'practice in a platform, its own', "the platform's key or endpoint"],
    lines,
  );
}

/** What the entries read when they are imported. */
function setEnvironment(endpoint: string, names: Database['tables']): void {
  const tableNames = Object.entries(tableVariables).map(([name, variable]) => [variable, names[name as Table]]);
  Object.assign(process.env, Object.fromEntries(tableNames), {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    [settingVariables.hostedPageUrl]: 'https://pay.example',
    [settingVariables.docsUrl]: 'https://docs.example',
  });
  Object.assign(globalThis, { builtForMode: 'sandbox' });
}

async function send(handler: Handler, { apiKey, header }: Caller): Promise<void> {
  const event = {
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(header !== undefined && { 'practice-id': header }),
    },
    rawPath: '/',
    rawQueryString: '',
    isBase64Encoded: false,
    stageVariables: stageVariablesOfTests,
    requestContext: {
      requestId: 'r',
      routeKey: '',
      http: { method: 'POST', sourceIp: '192.0.2.7', userAgent: 'test' },
    },
    body: JSON.stringify({
      invoiceId: 'INV-1',
      amountCents: 18_250,
      patient: { firstName: 'Ada', lastName: 'Okafor' },
    }),
  };
  const answer = await handler(event as never, lambdaContext());
  const { statusCode } = answer as { statusCode: number };
  if (statusCode > 201) throw new Error(JSON.stringify(answer));
}
