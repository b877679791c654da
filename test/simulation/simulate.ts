import { addEndpoint, enableEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { resendEvent } from '../../functions/webhooks/resend.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { aPractice } from '../support/examples.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { actionsOf } from './actors.ts';
import type { BankTools } from './bank.ts';
import type { Cast } from './cast.ts';
import { faultyDatabase, type Item, type Plant } from './database.ts';
import { check, watch } from './invariants.ts';
import { postTo, type Receiver } from './receivers.ts';
import { sandboxBank } from './sandbox-bank.ts';
import { startService } from './service.ts';
import { stripeBank } from './stripe-bank.ts';
import type { Tables } from './tables.ts';
import { chosenBy } from './weights.ts';
import { createWorld } from './world.ts';

export interface Plan {
  readonly seed: number;
  readonly steps: number;
  /** The indexes of the steps to take. Defaults to all. */
  readonly only?: readonly number[] | undefined;
  readonly plant?: Plant | undefined;
  /** Defaults to the one that the seed chooses. */
  readonly processor?: SimulatedProcessor | undefined;
}

export const simulatedProcessors = ['sandbox', 'direct', 'destination'] as const;
export type SimulatedProcessor = (typeof simulatedProcessors)[number];

export interface Outcome {
  readonly violations: readonly string[];
  /** What was done, with the index of each step. */
  readonly steps: readonly { readonly index: number; readonly action: string }[];
  readonly trace: readonly string[];
  /** How its sessions ended. */
  readonly ends: readonly string[];
}

/** Ends of months and years, both nights of daylight saving, a leap day. */
const starts = [
  '2026-10-31T23:58:00.000Z',
  '2026-12-31T23:57:00.000Z',
  '2027-03-14T06:55:00.000Z',
  '2026-11-01T05:55:00.000Z',
  '2028-02-28T23:55:00.000Z',
  '2026-11-20T10:00:00.000Z',
] as const;

const author = { kind: 'operator' } as const;
const maximumRounds = 300;

/** Simulates a seed's life, lets everything settle, and returns what does not hold. */
export async function simulate(tables: Tables, plan: Plan): Promise<Outcome> {
  const { seed, steps, only, plant } = plan;
  await tables.clear();
  const numbers = (part: number) => seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b));
  const random = numbers(-2);
  const choose = <const Item>(...items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const world = createWorld(Date.parse(choose(...starts)));
  const faultRate = choose(0, 0.005, 0.02, 0.05);
  const chosen = choose('sandbox', 'sandbox', 'sandbox', 'direct', 'destination');
  const processor = plan.processor ?? chosen;
  const randomBytes = (size: number) => Uint8Array.from({ length: size }, () => Math.floor(world.random() * 256));
  world.follow(random, 0);

  const watched = new Set<string>(
    (['sessions', 'authorizations', 'sandboxDebits', 'processorDebits'] as const).map((table) => tables.names[table]),
  );
  let isChanged = false;
  let moody = true;
  const receivers: Receiver[] = [];
  const archive = new Map<string, object>();
  let onEvent: (image: Item) => void = () => undefined;
  const database = faultyDatabase({
    world,
    tables,
    plant,
    onWrite: (table) => void (isChanged ||= watched.has(table)),
    onEvent: (item) => onEvent(item),
  });
  const readEndpoints = async () => tables.scan('webhookEndpoints');
  const service = await startService({
    world,
    database,
    openBank: async (tools: BankTools) => (processor === 'sandbox' ? sandboxBank(tools) : stripeBank(tools, processor)),
    post: postTo(world, { receivers, areMoody: () => moody, readEndpoints }),
    archive,
  });
  const { bank } = service;
  onEvent = service.onEvent;

  const practices = await Promise.all(
    ['a', 'b'].map(async (name) =>
      aPractice({ practiceId: `prc_${name}`, invoiceGuard: random() < 0.8, ...(await bank.account()) }),
    ),
  );
  const tools = { database, randomBytes, allowLoopbackWebhooks: false };
  for (const practice of practices) {
    await tables.put('practices', practice as never);
    const { practiceId } = practice;
    for (const url of random() < 0.5
      ? ['https://one.example.com']
      : ['https://one.example.com', 'https://two.example.com']) {
      const { endpointId, signingSecret } = await addEndpoint(tools, { practiceId, url, author }, world.now());
      receivers.push({ practiceId, endpointId, secrets: new Set([signingSecret]), received: [] });
    }
  }
  const cast: Cast = {
    world,
    database,
    service,
    randomBytes,
    practiceIds: practices.map(({ practiceId }) => practiceId),
    receivers,
    sessions: [],
    refunds: [],
  };
  const actions = actionsOf(cast);

  const ended = new Map<string, object>();
  async function observe(): Promise<void> {
    if (!isChanged) return;
    isChanged = false;
    const rows = {
      sessions: await tables.scan('sessions'),
      authorizations: await tables.scan('authorizations'),
      sandboxDebits: await tables.scan('sandboxDebits'),
      processorDebits: await tables.scan('processorDebits'),
    };
    for (const violation of watch(ended, rows)) world.violations.add(violation);
  }

  let ends: string[] = [];
  const taken: { index: number; action: string }[] = [];
  try {
    for (let index = 0; index < steps; index += 1) {
      const ofStep = numbers(index);
      const action = ['create', 'pay'][index] ?? chosenBy(ofStep());
      if (only && !only.includes(index)) continue;
      world.follow(ofStep, faultRate);
      taken.push({ index, action });
      world.trace.push(`— step ${index}: ${action} at ${new Date(world.now()).toISOString()}`);
      await actions[action]?.();
      await service.pollNotifications();
      for (let moves = Math.floor(ofStep() * 40); moves > 0; moves -= 1) if (!(await world.move())) break;
      await observe();
    }
    moody = false;
    world.follow(numbers(-3), 0);
    await settle();
    // Every delivery that failed or was skipped can be sent again.
    for (const { practiceId, endpointId } of receivers) {
      const key = { practiceId, endpointId, author };
      await enableEndpoint(tools, key, world.now());
      for (const { status, eventId, endpointId: of } of await tables.scan('deliveries'))
        if (of === endpointId && status !== 'delivered')
          await resendEvent(
            { ...tools, sendDeliveries: service.queues.deliveries.send },
            { ...key, eventId: String(eventId) },
            world.now(),
          );
    }
    await settle();
    if (bank.reconcile) {
      // The books are read once a day, up to ten minutes ago.
      world.pass(day + hour);
      await bank
        .reconcile()
        .catch((error: unknown) => world.violations.add(`its accounts cannot be reconciled: ${String(error)}`));
      await settle();
    }
    const guarded = new Set(practices.filter(({ invoiceGuard }) => invoiceGuard).map(({ practiceId }) => practiceId));
    const rows = await tables.read();
    ends = rows.sessions.map(
      (row) =>
        `${String(row['status'])}${row['return'] ? ' returned' : ''}${row['refund'] ? ' refunded' : ''}${row['cancellation'] && row['processingAt'] ? ' voided' : ''}`,
    );
    const debits = await bank.debits(rows);
    const erased = new Set(cast.sessions.filter((known) => known.erased).map(({ sessionId }) => sessionId));
    const archived = bank.mode === 'live' ? archive : undefined;
    for (const violation of check({
      rows,
      debits,
      receivers,
      refunds: cast.refunds,
      guarded,
      erased,
      archive: archived,
      chargeType: processor === 'sandbox' ? undefined : processor,
    }))
      world.violations.add(violation);
  } finally {
    await bank.stop();
  }
  return { violations: [...world.violations], steps: taken, trace: world.trace, ends };

  async function settle(): Promise<void> {
    for (let round = 0; round < maximumRounds; round += 1) {
      while ((await world.move()) || !world.isIdle());
      await observe();
      await bank.rest();
      await service.pollNotifications();
      if (!service.isQuiet() && service.nextMessageAt() <= world.now()) continue;
      const due = await nextDueAt();
      const at = Math.min(due, service.nextMessageAt());
      if (at === Infinity && service.isQuiet()) return;
      if (at > world.now() && at !== Infinity) world.pass(at - world.now());
      if (due <= world.now()) {
        world.pass(minute);
        world.start('sweep', service.sweep, () => undefined);
      }
    }
    world.violations.add('it never settles');
  }

  async function nextDueAt(): Promise<number> {
    const rows = await Promise.all(
      (['sessions', 'events', 'deliveries', 'sandboxDebits', 'processorEvents'] as const).map(tables.scan),
    );
    return Math.min(...rows.flat().flatMap(({ dueAt }) => (typeof dueAt === 'string' ? [Date.parse(dueAt)] : [])));
  }
}
