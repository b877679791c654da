import type { Failure, EnteredDebit, ProcessorDebit } from '../../domain/payments/debit.ts';
import type { Evidence } from '../../domain/payments/evidence.ts';
import { Fault, unreachable } from '../../domain/fault.ts';
import { hour, toIso } from '../../domain/time.ts';
import { getEvidence } from '../../store/payments/authorizations.ts';
import type { Database } from '../../store/database.ts';
import {
  countFailedCall,
  enterProcessorDebit,
  getProcessorDebit,
  refuseProcessorDebit,
} from '../../store/payments/processor-debits.ts';
import type { DebitOrder, DebitProcessor, Submission } from '../processor.ts';
import { requestKey, type CallStripe } from './client.ts';
import { processorError, refusalOf, failureIn, isKept, logRefusal } from './failures.ts';
import { stripeFinder, enterLost, wasAuthorizedBefore } from './find-debit.ts';
import { stripeRefunder, stripeVoider } from './void-and-refund.ts';
import { cancelIntent, confirmIntent, createIntent, retrieveIntent, type PaymentIntent } from './intents.ts';

/** Stripe keeps an idempotency key for at least a day. */
const keyLifetime = 23 * hour;

type Entered = ProcessorDebit & { readonly debit: EnteredDebit };

/**
 * Creates an intent, stores its ID, then confirms it. Only an intent whose ID is stored is ever confirmed: one that was
 * created twice, or voided before its ID was stored, moves no money.
 */
export function stripeProcessor(database: Database, call: CallStripe): DebitProcessor {
  async function submit(order: DebitOrder, now: number): Promise<Submission> {
    const { sessionId } = order;
    const found = await getProcessorDebit(database, sessionId);
    const decided = found && (await decision(found, resume));
    if (decided) return decided;
    // Without its key, creating the debit again would not find the first one.
    const hasLostKey = (found?.failedCalls ?? 0) > 0 || wasAuthorizedBefore(order, now - keyLifetime);
    const lost = hasLostKey && (await enterLost(database, call, order, now));
    const standing = lost ? await decision(lost, resume) : await create(order, found?.failedCalls, now);
    if (!standing) throw new Fault(`the debit of ${sessionId} was not decided`);
    return standing;
  }

  async function create(
    order: DebitOrder,
    failedCalls: number | undefined,
    now: number,
  ): Promise<Submission | undefined> {
    const { sessionId } = order;
    const key = requestKey('create', sessionId, failedCalls);
    const evidence = await evidenceOf(sessionId);
    const created = await orFailure(sessionId, () => createIntent(call, order, evidence, key));
    // A parallel submission may have entered a debit.
    if ('failure' in created)
      return decision(await refuseProcessorDebit(database, sessionId, created.failure, now), resume);
    const debit = { ...created.answer, submittedAt: toIso(now) };
    return decision(await enterProcessorDebit(database, sessionId, debit), confirm);
  }

  async function resume(entered: Entered): Promise<Submission> {
    const intent = await retrieveIntent(call, entered.debit);
    return intent.status === 'requires_confirmation' ? confirm(entered) : conclude(entered, intent);
  }

  async function confirm(entered: Entered): Promise<Submission> {
    const { sessionId, debit, failedCalls } = entered;
    const evidence = await evidenceOf(sessionId);
    const key = requestKey('confirm', sessionId, failedCalls);
    const confirmed = await orFailure(sessionId, () => confirmIntent(call, debit, evidence, key));
    return 'answer' in confirmed
      ? conclude(entered, confirmed.answer)
      : conclude(entered, await retrieveIntent(call, debit), confirmed.failure);
  }

  async function evidenceOf(sessionId: string): Promise<Evidence> {
    const evidence = await getEvidence(database, sessionId);
    if (!evidence) throw new Fault(`the authorization of ${sessionId} is missing`);
    return evidence;
  }

  /** `failure` is why Stripe refused to confirm the intent. */
  async function conclude(entered: Entered, intent: PaymentIntent, failure?: Failure): Promise<Submission> {
    const { debitId, submittedAt } = entered.debit;
    const refusal = refusalOf(intent);
    switch (intent.status) {
      case 'processing':
      case 'requires_capture':
      case 'succeeded':
        return { result: 'submitted', debitId, submittedAt };
      case 'canceled':
        return refusal ? { result: 'refused', failure: refusal } : { result: 'voided' };
      case 'requires_payment_method':
        return abandon(entered, failure ?? refusal);
      case 'requires_action':
        // The bank account would need microdeposits, which take days.
        return abandon(entered);
      case 'requires_confirmation':
        return failure ? abandon(entered, failure) : { result: 'unknown' };
      default:
        return unreachable(intent.status);
    }
  }

  /** Cancels a refused intent: otherwise it could still be confirmed. */
  async function abandon(
    { sessionId, debit, failedCalls }: Entered,
    failure: Failure = processorError,
  ): Promise<Submission> {
    const { status } = await cancelIntent(call, debit, 'abandoned', requestKey('abandon', sessionId, failedCalls));
    return status === 'canceled' ? { result: 'refused', failure } : { result: 'unknown' };
  }

  return {
    ...stripeVoider(database, call),
    ...stripeFinder(database, call),
    ...stripeRefunder(database, call),

    async submitDebit(order, now) {
      const { sessionId } = order;
      try {
        return await submit(order, now);
      } catch (error) {
        if (isKept(logRefusal(error, sessionId))) await countFailedCall(database, sessionId);
        return { result: 'unknown' };
      }
    },
  };
}

/** Undefined if there is neither a debit nor a void yet. */
async function decision(
  { debit, voidedAt, refusal, ...row }: ProcessorDebit,
  proceed: (entered: Entered) => Promise<Submission>,
): Promise<Submission | undefined> {
  if (refusal) return { result: 'refused', failure: refusal };
  if (voidedAt !== undefined) return { result: 'voided' };
  return debit && proceed({ ...row, debit });
}

/** Use it only for requests that create or confirm an intent: a failed look-up says nothing about the debit. */
async function orFailure<Answer>(
  sessionId: string,
  request: () => Promise<Answer>,
): Promise<{ readonly answer: Answer } | { readonly failure: Failure }> {
  try {
    return { answer: await request() };
  } catch (error) {
    const failure = failureIn(error);
    if (!failure) throw error;
    logRefusal(error, sessionId);
    return { failure };
  }
}
