import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PaymentClient } from '../../web/client/index.ts';
import type { DashboardUser } from '../support/dashboard-user.ts';
import { patientOf } from '../support/patient.ts';
import type { Receiver } from '../support/receiver.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { Bank } from './bank.ts';
import type { Callers } from './callers.ts';
import type { Told } from './check.ts';

export interface Cast {
  readonly seed: number;
  readonly practiceId: string;
  readonly client: PaymentClient;
  /** An admin of the practice, who signed in a moment ago. */
  readonly staff: () => Pick<DashboardUser, 'call'>;
  readonly bank: Bank;
  readonly callers: Callers;
  readonly receiver: Receiver;
  /** Everything that anybody was told so far. */
  readonly told: Told[];
}

const finals = ['succeeded', 'failed', 'cancelled'];

/** One payment, from its creation by the practice's software to its end. The index decides what happens. */
export async function live(cast: Cast, index: number): Promise<void> {
  const { client, bank, callers, practiceId, told } = cast;
  const random = seededRandom(Math.imul(cast.seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const chance = (share: number) => random() < share;
  const own: Told = {
    order: `order-${cast.seed}-${index}`,
    amountCents: 1000 + Math.floor(random() * 90_000),
    authorized: false,
    cancelled: false,
    ends: new Set(),
    refunds: [],
  };
  told.push(own);
  if (chance(0.05)) cast.receiver.failOnce();

  // One in five is a second session for an invoice that another one may have paid.
  const invoiceId = `INV-${cast.seed}-${chance(0.2) ? Math.max(index - 3, 0) : index}`;
  const created = await callers.ask(async () =>
    client.sessions.create(
      {
        invoiceId,
        amountCents: own.amountCents,
        patient: { firstName: 'Ada', lastName: 'Okafor' },
        metadata: { order: own.order },
      },
      { idempotencyKey: own.order },
    ),
  );
  if (!created) return;
  const { sessionId, hostedUrl } = created;
  own.sessionId = sessionId;
  const patient = patientOf(hostedUrl);
  const staffCall = async (name: 'cancelSession' | 'refundSession', body?: object) =>
    callers.askPage(async () => cast.staff().call(name, { practiceId, sessionId }, body));

  async function look(): Promise<string> {
    const session = await callers.ask(async () => client.sessions.get(sessionId));
    if (session && finals.includes(session.status)) own.ends.add(session.status);
    return session?.status ?? 'unknown';
  }

  async function cancel(): Promise<void> {
    const isCancelled = chance(0.5)
      ? (await callers.ask(async () => client.sessions.cancel(sessionId))) !== undefined
      : (await staffCall('cancelSession'))?.status === 200;
    own.cancelled ||= isCancelled;
  }

  async function refund(): Promise<void> {
    const cents = chance(0.4) && own.refunds.length === 0 ? own.amountCents : 1 + Math.floor(random() * 500);
    if (own.refunds.some((each) => each.cents === cents)) return;
    const asked = { cents, answered: false };
    own.refunds.push(asked);
    const body = { refundId: randomUUID(), amountCents: cents, reason: 'Paid twice' };
    const times = chance(0.3) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, async () => staffCall('refundSession', body)));
    asked.answered = answers.some((answer) => answer?.status === 200);
  }

  if (chance(0.1)) return cancel();
  await callers.askPage(patient.open);
  const user = bank.users[Math.floor(random() * bank.users.length)] ?? '';
  const connected = await callers.askPage(async () => bank.connect(patient, user));
  if (connected?.status !== 200) return;
  const times = chance(0.2) ? 2 : 1;
  const paid = await Promise.all(
    Array.from({ length: times }, async () => callers.askPage(async () => patient.authorize())),
  );
  own.authorized = paid.some((answer) => answer?.status === 200);
  if (chance(0.2)) await cancel();
  if (chance(0.4)) return;
  let status = await look();
  for (let looks = 0; looks < 20 && !finals.includes(status); looks += 1) {
    await wait(400);
    status = await look();
  }
  while (status === 'succeeded' && own.refunds.length < 3 && chance(0.5)) await refund();
  if (finals.includes(status)) await look();
}
