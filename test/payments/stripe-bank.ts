import { type SandboxUser, fateOf, outcomesAt } from '../../functions/domain/payments/sandbox-bank.ts';
import type { ChargeType } from '../../functions/domain/payments/debit.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { stripeCaller, type CallStripe } from '../../functions/processors/stripe/client.ts';
import { stripeConnector, stripeStarter } from '../../functions/processors/stripe/bank-connection.ts';
import { stripeProcessor } from '../../functions/processors/stripe/processor.ts';
import { stripeReferences } from '../../functions/processors/stripe/find-debit.ts';
import { connectBank, startBankConnection } from '../../functions/sessions/connect-bank.ts';
import type { Database } from '../../functions/store/database.ts';
import { getProcessorDebit } from '../../functions/store/payments/processor-debits.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import type { StripeEvent } from '../../lib/local/stripe/records.ts';
import type { TestStripe } from '../support/stripe.ts';
import { outcomeDelay, type TestBank } from './banks.ts';

interface Options {
  readonly chargeType?: ChargeType;
  /** Long by default: a response delayed by a busy machine would count as none. */
  readonly timeout?: number;
  /** How Stripe refuses the debit. */
  readonly refusal?: (typeof refusals)[number];
}

export const refusals = ['account_unusable', 'unconfirmable', 'over_limit', 'needs_deposits'] as const;

/** The user's bank at the stand-in. A user who is not listed closes the picker. */
const bankOf: Partial<Record<SandboxUser, string>> = {
  user_good: 'success',
  user_bank_down: 'bank_down',
  user_insufficient_funds: 'insufficient_funds',
  user_account_closed: 'account_closed',
  user_stuck: 'stays_processing',
  user_sent: 'cancel_refused',
  user_late_return: 'late_return',
};

export function secretOf({ secretKey, publishableKey, webhookSecret, connectWebhookSecret }: TestStripe): string {
  return JSON.stringify({ secretKey, publishableKey, webhookSecret, connectWebhookSecret });
}

/** Stripe's banks follow the test's clock, as the sandbox's do. Notifications repeat until acknowledged. */
export async function stripeBank(
  stripe: TestStripe,
  { chargeType = 'direct', timeout = 5 * minute, refusal = 'account_unusable' }: Options = {},
): Promise<TestBank & { readonly call: CallStripe }> {
  const { control } = stripe;
  await control.hold();
  const { id: depositAccountId } = await control.createAccount();
  const call = stripeCaller(async () => secretOf(stripe), stripe.apiBase, timeout);
  const users = new Map<string, SandboxUser>();
  const acknowledged = new Map<string, number>();
  const open = new Set<string>();
  /** When each refund was made, by the ID that it was requested with. */
  const refundedAt = new Map<string, number>();

  function nextOutcome(sessionId: string, submittedAt: string): number | undefined {
    const user = users.get(sessionId);
    const fate = user && fateOf(user);
    const since = acknowledged.get(sessionId) ?? Date.parse(submittedAt);
    return fate && outcomesAt(fate, { submittedAt }, outcomeDelay, since).times.find((at) => at > since);
  }

  async function decide(database: Database, sessionId: string, now: number): Promise<void> {
    const row = await getProcessorDebit(database, sessionId);
    const user = users.get(sessionId);
    const fate = user && fateOf(user);
    if (!row?.debit || !user || !fate) return;
    const { debitId, submittedAt } = row.debit;
    const { happened } = outcomesAt(fate, { submittedAt }, outcomeDelay, now);
    const { status } = await control.find(debitId);
    if (status === 'processing' && happened > 0)
      await control.settle(
        debitId,
        fate.end === 'succeeds' ? 'success' : user === 'user_account_closed' ? 'account_closed' : 'insufficient_funds',
      );
    if (happened < 2) return;
    const { latest_charge: charge } = await control.find(debitId);
    // Two callers may decide at the same time.
    if (charge !== null && !(await control.find(charge)).disputed) await control.return(debitId).catch(() => undefined);
  }

  async function finishRefunds(now: number): Promise<void> {
    if (refundedAt.size === 0) return;
    const { events } = await control.read();
    for (const { type, data } of events) {
      if (type !== 'refund.created') continue;
      const { refundId = '' } = data.object['metadata'] as { readonly refundId?: string };
      if (now >= (refundedAt.get(refundId) ?? Infinity) + outcomeDelay)
        await control.finishRefund(data.object.id, 'succeeded');
    }
  }

  async function outcomesToTell(database: Parameters<TestBank['debitOf']>[0]) {
    const found = await Promise.all(
      [...open].map(async (sessionId) => {
        const debit = await bank.debitOf(database, sessionId);
        if (debit && debit.dueAt === undefined) open.delete(sessionId);
        return debit?.dueAt === undefined ? [] : [{ sessionId, at: Date.parse(debit.dueAt) }];
      }),
    );
    return found.flat();
  }

  const bank: TestBank = {
    mode: 'live',
    references: stripeReferences(call),
    practice: { depositAccountId },
    voidsUnsubmitted: true,

    async connect(database, holder, user, now) {
      await startBankConnection({ database, processor: stripeStarter(call, chargeType) }, holder, now);
      const session = await getExistingSession(database, holder.session.sessionId);
      const picked = user === 'user_processor_error' ? refusal : bankOf[user];
      if (picked !== undefined && !(await control.connectBank(session.bankConnectionId ?? '', picked))) return;
      await connectBank(
        { database, processor: stripeConnector(call, chargeType) },
        { ...holder, session, signIn: undefined },
        now,
      );
      users.set(session.sessionId, user);
      if (fateOf(user)?.end === 'succeeds' || fateOf(user)?.end === 'fails') open.add(session.sessionId);
    },

    processor(database, sendSettlements, crash) {
      const processor = stripeProcessor(database, (work) => crash.guard(() => call(work)));
      const notify = async (sessionId: string, now: number) => {
        const debit = (await getProcessorDebit(database, sessionId))?.debit;
        const at = debit && nextOutcome(sessionId, debit.submittedAt);
        if (at !== undefined) await sendSettlements([{ body: { sessionId }, delay: at - now }]);
      };
      return {
        async submitDebit(order, now) {
          const submission = await processor.submitDebit(order, now);
          if (submission.result === 'submitted') await notify(order.sessionId, now);
          return submission;
        },
        async voidDebit(order, now) {
          await decide(database, order.sessionId, now);
          return processor.voidDebit(order, now);
        },
        async refundDebit(refund, now) {
          await decide(database, refund.sessionId, now);
          if (!refundedAt.has(refund.refundId)) refundedAt.set(refund.refundId, now);
          return processor.refundDebit(refund, now);
        },
        async findDebit(sessionId, now) {
          await decide(database, sessionId, now);
          await finishRefunds(now);
          return processor.findDebit(sessionId, now);
        },
        async acknowledge(sessionId, state, now) {
          await processor.acknowledge(sessionId, state, now);
          acknowledged.set(sessionId, now);
          const debit = await bank.debitOf(database, sessionId);
          if (debit?.dueAt === undefined) open.delete(sessionId);
          await notify(sessionId, now);
        },
      };
    },

    async debitOf(database, sessionId) {
      const debit = (await getProcessorDebit(database, sessionId))?.debit;
      if (!debit) return undefined;
      const { debitId, submittedAt } = debit;
      const { status, latest_charge: charge, last_payment_error: refusal } = await control.find(debitId);
      if (charge === null) return undefined;
      // A debit that the bank refused can still be canceled, which changes nothing.
      const voided = status === 'canceled' && !refusal;
      const next = voided ? undefined : nextOutcome(sessionId, submittedAt);
      return { debitId, submittedAt, voided, dueAt: next === undefined ? undefined : toIso(next) };
    },

    async failRefund(database, sessionId) {
      const debitId = (await getProcessorDebit(database, sessionId))?.debit?.debitId;
      const { events } = await control.read();
      const isOurs = ({ type, data }: StripeEvent) =>
        type === 'refund.created' && data.object['payment_intent'] === debitId;
      const last = events.findLast(isOurs);
      if (debitId !== undefined && last) await control.finishRefund(last.data.object.id, 'failed');
    },

    async pendingDebit(database, sessionId) {
      const debit = (await getProcessorDebit(database, sessionId))?.debit;
      if (!debit) return undefined;
      const { status, latest_charge: charge } = await control.find(debit.debitId);
      return charge === null && status !== 'canceled' ? status : undefined;
    },

    settlements: () => async () => 0,

    async notifications(database, now) {
      return (await outcomesToTell(database)).flatMap(({ sessionId, at }) => (at <= now ? [sessionId] : []));
    },

    nextOutcomeAt: async (database) => Math.min(...(await outcomesToTell(database)).map(({ at }) => at)),
  };
  return { ...bank, call };
}
