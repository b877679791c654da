import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import type { ChargeType } from '../../functions/domain/payments/debit.ts';
import { reconcile } from '../../functions/payments/reconcile.ts';
import { stripeConnector, stripeStarter } from '../../functions/processors/stripe/bank-connection.ts';
import { stripeBooks } from '../../functions/processors/stripe/books.ts';
import { stripeCaller, type CallStripe } from '../../functions/processors/stripe/client.ts';
import { signatureChecker } from '../../functions/processors/stripe/event.ts';
import { stripeProcessor } from '../../functions/processors/stripe/processor.ts';
import { receiveStripeEvent, stripeRepairer } from '../../functions/processors/stripe/receive-event.ts';
import { connectBank, startBankConnection } from '../../functions/sessions/connect-bank.ts';
import { dueProcessorEvents } from '../../functions/store/payments/processor-events.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { ticketDuty } from '../../functions/sweep/sweep.ts';
import { startStandIn } from '../../lib/local/stripe/stand-in.ts';
import { controlOf } from '../support/stripe.ts';
import type { Bank, BankDebit, BankTools } from './bank.ts';
import { refusals } from './queues.ts';

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
      // Without an ID, the link has been replaced in the meantime.
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
        // Its own ID is random, so the same life would use another shard.
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
    async reconcile() {
      isRead = false;
      await reconcile({
        database,
        clock: world.clock,
        sendSettlements,
        books: stripeBooks(database, call),
        repairNotifications: stripeRepairer({ database, sendSettlements }, call),
        followDeposit: async () => undefined,
      });
    },
    stop: stripe.stop,
  };
}
