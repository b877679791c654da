import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import type { ChargeType } from '../../functions/domain/payments/debit.ts';
import type { SendTickets } from '../../functions/messages/queues.ts';
import type { BankConnector, DebitProcessor, OutcomeAdvancer } from '../../functions/processors/processor.ts';
import { sandboxAdvancer, sandboxConnector, sandboxProcessor } from '../../functions/processors/sandbox/processor.ts';
import { stripeConnector, stripeStarter } from '../../functions/processors/stripe/bank-connection.ts';
import { stripeCaller, type CallStripe } from '../../functions/processors/stripe/client.ts';
import { signatureChecker } from '../../functions/processors/stripe/event.ts';
import { stripeProcessor } from '../../functions/processors/stripe/processor.ts';
import { receiveStripeEvent } from '../../functions/processors/stripe/receive-event.ts';
import { connectBank, startBankConnection } from '../../functions/sessions/connect-bank.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import type { LinkHolder } from '../../functions/sessions/find.ts';
import type { Database } from '../../functions/store/database.ts';
import { dueProcessorEvents } from '../../functions/store/payments/processor-events.ts';
import { dueOutcomes } from '../../functions/store/payments/sandbox-debits.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { ticketDuty, type Duty } from '../../functions/sweep/sweep.ts';
import { startStandIn } from '../../lib/local/stripe/stand-in.ts';
import { controlOf } from '../support/stripe.ts';
import { refusals } from './queues.ts';
import type { Rows } from './tables.ts';
import type { World } from './world.ts';

/** A debit that the bank took, as the bank itself tells it. */
export interface BankDebit {
  readonly sessionId: string;
  readonly cents: number;
  readonly state: 'pending' | 'paid' | 'failed' | 'voided' | 'returned';
  readonly refunds: readonly {
    readonly id: string;
    readonly cents: number;
    readonly state: 'pending' | 'given' | 'failed';
  }[];
}

export interface Bank {
  readonly mode: 'sandbox' | 'live';
  readonly users: readonly string[];
  /** The practice's account. */
  account(): Promise<{ depositAccountId?: string }>;
  connect(holder: LinkHolder, user: string): Promise<Session>;
  readonly processor: DebitProcessor;
  readonly sandbox?: { readonly connector: BankConnector; readonly bank: OutcomeAdvancer };
  readonly settlements: Duty;
  /** Does something that banks do by themselves. */
  act(): Promise<void>;
  /** Answers every debit and refund that is open. */
  rest(): Promise<void>;
  /** New notifications of the processor. Each call of one sends it. */
  notifications(): Promise<(() => Promise<void>)[]>;
  debits(rows: Rows): Promise<BankDebit[]>;
  stop(): Promise<void>;
}

export interface BankTools {
  readonly world: World;
  readonly database: Database;
  readonly sendSettlements: SendTickets;
}

const outcomeDelay = 3000;

export function sandboxBank({ world, database, sendSettlements }: BankTools): Bank {
  return {
    mode: 'sandbox',
    users: [
      'user_good',
      'user_good',
      'user_good',
      'user_late_return',
      'user_late_return',
      'user_insufficient_funds',
      'user_stuck',
      'user_sent',
      'user_processor_error',
      'user_bad',
    ],
    account: async () => ({}),
    async connect(holder, username) {
      const signIn = { username, password: holder.practice.testBankPassword };
      return connectBank({ database, processor: sandboxConnector }, { ...holder, signIn }, world.clock());
    },
    processor: sandboxProcessor(database, sendSettlements, outcomeDelay),
    sandbox: { connector: sandboxConnector, bank: sandboxAdvancer(database, outcomeDelay) },
    settlements: ticketDuty(dueOutcomes(database), sendSettlements),
    // Its outcomes come with time.
    act: async () => world.pass(outcomeDelay),
    rest: async () => undefined,
    notifications: async () => [],
    async debits(rows) {
      return rows.sandboxDebits.flatMap((row): BankDebit[] => {
        const debit = row['debit'] as
          | { username: string; amountCents: number; submittedAt: string; advanced?: string[] }
          | undefined;
        if (!debit) return [];
        const started = Date.parse(debit.submittedAt);
        const outcomes = debit.advanced?.length ?? Math.floor((world.now() - started) / outcomeDelay);
        // The bank waits with the outcome of 'user_sent' until somebody advances it.
        const pays =
          ['user_good', 'user_late_return'].includes(debit.username) ||
          (debit.username === 'user_sent' && debit.advanced !== undefined);
        const fails = debit.username === 'user_insufficient_funds';
        const refunds = (row['refunds'] ?? []) as { refundId: string; amountCents: number }[];
        return [
          {
            sessionId: String(row['sessionId']),
            cents: debit.amountCents,
            state:
              row['voidedAt'] !== undefined
                ? 'voided'
                : outcomes < 1
                  ? 'pending'
                  : fails
                    ? 'failed'
                    : !pays
                      ? 'pending'
                      : outcomes > 1 && debit.username === 'user_late_return'
                        ? 'returned'
                        : 'paid',
            refunds: refunds.map(({ refundId, amountCents }) => ({ id: refundId, cents: amountCents, state: 'given' })),
          },
        ];
      });
    },
    stop: async () => undefined,
  };
}

const secrets = {
  secretKey: 'sk_live_simulation',
  publishableKey: 'pk_live_simulation',
  webhookSecret: 'whsec_simulation',
  connectWebhookSecret: 'whsec_simulation_connect',
};

interface Intent {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly latest_charge: string | null;
  readonly last_payment_error: unknown;
  readonly metadata: { readonly sessionId?: string };
}

/** Stripe's stand-in in this process, in the world's time. Its banks answer only when told to. */
export async function stripeBank(
  { world, database, sendSettlements }: BankTools,
  chargeType: ChargeType,
): Promise<Bank> {
  const options = { port: 0, ...secrets, outcomeDelay: 1000 };
  const stripe = await startStandIn(options, world.now);
  const control = controlOf(stripe.apiBase);
  await control.hold();
  const readSecret = async () => JSON.stringify(secrets);
  const direct = stripeCaller(readSecret, stripe.apiBase);
  const ownFaults = ['rate_limited', 'server_error', 'server_error_after_acceptance', 'idempotency_conflict'] as const;
  const call: CallStripe = async (work) =>
    world.call(
      'Stripe',
      async (spoil) => {
        isRead = false;
        const fault = world.fails(2) ? world.pick(ownFaults) : undefined;
        if (fault) {
          spoil();
          await control.fault(fault);
        }
        try {
          return await direct(work);
        } finally {
          if (fault) await control.clearFaults();
        }
      },
      {
        throttled: () => {
          throw new Stripe.errors.StripeRateLimitError({ message: 'slow down', statusCode: 429 } as never);
        },
        silent: () => {
          throw new Stripe.errors.StripeConnectionError({ message: 'no answer' } as never);
        },
      },
    );
  const notified = new Set<string>();
  /** Whether nothing happened since its events were read. */
  let isRead = false;
  const receive = {
    database,
    sendSettlements,
    checkSignature: signatureChecker(readSecret),
    followAccount: async () => true,
  };

  async function events(type: string) {
    return (await control.read()).events.filter((event) => event.type === type);
  }
  async function intents(): Promise<Intent[]> {
    const all = (await control.read()).events.flatMap(({ type, data }) =>
      type.startsWith('payment_intent.') ? [data.object.id] : [],
    );
    return Promise.all([...new Set(all)].map(async (id) => control.find(id) as Promise<Intent>));
  }
  async function refunds(): Promise<
    { id: string; status: string; amount: number; payment_intent: string; metadata: { refundId?: string } }[]
  > {
    return Promise.all((await events('refund.created')).map(async ({ data }) => control.find(data.object.id)));
  }
  const settle = async (intent: Intent | undefined, succeeds: boolean) => {
    if (intent) await control.settle(intent.id, succeeds ? 'success' : 'insufficient_funds');
  };

  return {
    mode: 'live',
    users: [
      'stays_processing',
      'stays_processing',
      'stays_processing',
      'stays_processing',
      'cancel_refused',
      'account_unusable',
      'over_limit',
      'bank_down',
    ],
    account: async () => ({ depositAccountId: (await control.createAccount()).id }),
    async connect(holder, user) {
      await startBankConnection({ database, processor: stripeStarter(call, chargeType) }, holder, world.clock());
      const session = await getExistingSession(database, holder.session.sessionId);
      // Without an ID, the link was replaced meanwhile.
      const { bankConnectionId: connectionId } = session;
      const signIn = async () => connectionId && control.connectBank(connectionId, user);
      await world.call('sign in at the bank', signIn, refusals);
      return connectBank(
        { database, processor: stripeConnector(call, chargeType) },
        { ...holder, session, signIn: undefined },
        world.clock(),
      );
    },
    processor: stripeProcessor(database, call),
    settlements: ticketDuty(dueProcessorEvents(database), sendSettlements),

    async act() {
      isRead = false;
      const open = (await intents()).filter(({ status }) => status === 'processing');
      const paid = (await intents()).filter(({ status }) => status === 'succeeded');
      const pending = (await refunds()).filter(({ status }) => status === 'pending');
      const roll = world.random();
      if (roll < 0.6) await settle(world.pick(open), world.chance(0.75));
      else if (roll < 0.75) {
        const intent = world.pick(paid);
        // The bank takes a debit back once, and the practice's account must cover it.
        if (intent) await control.return(intent.id).catch(() => undefined);
      } else {
        const refund = world.pick(pending);
        if (refund) await control.finishRefund(refund.id, world.chance(0.7) ? 'succeeded' : 'failed');
      }
    },
    async rest() {
      isRead = false;
      for (const intent of (await intents()).filter(({ status }) => status === 'processing'))
        await settle(intent, world.chance(0.7));
      for (const refund of await refunds())
        if (refund.status === 'pending') await control.finishRefund(refund.id, 'succeeded');
    },
    async notifications() {
      if (isRead) return [];
      isRead = true;
      const fresh = (await control.read()).events.filter(({ id }) => !notified.has(id));
      return fresh.map((random) => {
        notified.add(random.id);
        // Its own ID is random: the same life would use another shard.
        const event = { ...random, id: `evt_${notified.size}` };
        return async () => {
          const body = Buffer.from(JSON.stringify(event));
          const now = world.clock();
          const time = Math.floor(now / 1000);
          const secret = event.account === undefined ? secrets.webhookSecret : secrets.connectWebhookSecret;
          const signature = `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body.toString()}`).digest('hex')}`;
          await receiveStripeEvent(receive, { body, signature }, now);
        };
      });
    },
    async debits() {
      const all = await refunds();
      const found = await Promise.all(
        (await intents()).map(
          async ({
            id,
            amount,
            status,
            latest_charge: chargeId,
            last_payment_error: error,
            metadata,
          }): Promise<BankDebit[]> => {
            if (chargeId === null) return [];
            const { disputed } = await control.find(chargeId);
            const state =
              status === 'processing'
                ? 'pending'
                : status === 'succeeded'
                  ? disputed
                    ? 'returned'
                    : 'paid'
                  : error
                    ? 'failed'
                    : 'voided';
            const of = all.filter((refund) => refund.payment_intent === id);
            return [
              {
                sessionId: metadata.sessionId ?? '',
                cents: amount,
                state,
                refunds: of.map((refund) => ({
                  id: refund.metadata.refundId ?? '',
                  cents: refund.amount,
                  state: refund.status === 'succeeded' ? 'given' : refund.status === 'pending' ? 'pending' : 'failed',
                })),
              },
            ];
          },
        ),
      );
      return found.flat();
    },
    stop: stripe.stop,
  };
}
