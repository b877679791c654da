import { Fault, unreachable } from '../../domain/fault.ts';
import type { EnteredDebit } from '../../domain/processor-debit.ts';
import { toIso } from '../../domain/time.ts';
import { getEvidence } from '../../store/authorizations.ts';
import type { Database } from '../../store/database.ts';
import { countServerError, enterProcessorDebit, getProcessorDebit } from '../../store/processor-debits.ts';
import type { DebitOrder, DebitProcessor, Submission } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { failureOf, processorError } from './failures.ts';
import { stripeFinder } from './find-debit.ts';
import { cancelIntent, confirmIntent, createIntent, retrieveIntent } from './intents.ts';
import type { PaymentIntent } from './payment-intent.ts';
import { DebitRefused, failureIn, isServerError, logRefusal } from './refusal.ts';
import { requestKey } from './request-key.ts';
import { stripeVoider } from './void-debit.ts';

/**
 * An intent is created, its id is stored, then it is confirmed. Only an intent whose id is stored is ever confirmed:
 * one that was created twice, or voided before its id was stored, moves no money.
 */
export function stripeProcessor(
  database: Database<'processorDebits' | 'authorizations'>,
  call: CallStripe,
): DebitProcessor {
  async function submit(order: DebitOrder, now: number): Promise<Submission> {
    const { sessionId } = order;
    const found = await getProcessorDebit(database, sessionId);
    if (found?.voidedAt !== undefined) return { result: 'voided' };
    if (found?.debit) return resume(sessionId, found.debit, found.serverErrors);
    const key = requestKey('create', sessionId, found?.serverErrors);
    const created = await refusable(() => createIntent(call, order, key));
    const entered = await enterProcessorDebit(database, sessionId, { ...created, submittedAt: toIso(now) });
    return entered.debit ? confirm(sessionId, entered.debit, entered.serverErrors) : { result: 'voided' };
  }

  async function resume(sessionId: string, debit: EnteredDebit, serverErrors?: number): Promise<Submission> {
    const intent = await retrieveIntent(call, debit);
    const waits = intent.status === 'requires_confirmation';
    return waits ? confirm(sessionId, debit, serverErrors) : conclude(sessionId, debit, intent, serverErrors);
  }

  async function confirm(sessionId: string, debit: EnteredDebit, serverErrors?: number): Promise<Submission> {
    const evidence = await getEvidence(database, sessionId);
    if (!evidence) throw new Fault(`the authorization of ${sessionId} is missing`);
    const key = requestKey('confirm', sessionId, serverErrors);
    return conclude(sessionId, debit, await refusable(() => confirmIntent(call, debit, evidence, key)), serverErrors);
  }

  async function conclude(
    sessionId: string,
    debit: EnteredDebit,
    intent: PaymentIntent,
    serverErrors?: number,
  ): Promise<Submission> {
    const { debitId, submittedAt } = debit;
    switch (intent.status) {
      case 'processing':
      case 'requires_capture':
      case 'succeeded':
        return { result: 'submitted', debitId, submittedAt };
      case 'canceled':
      case 'requires_payment_method':
        return endOf(intent);
      case 'requires_action':
        // The bank account would need test deposits, which take days.
        await cancelIntent(call, debit, requestKey('cancel', sessionId, serverErrors));
        return { result: 'refused', failure: processorError };
      case 'requires_confirmation':
        return { result: 'unknown' };
      default:
        return unreachable(intent.status);
    }
  }

  return {
    ...stripeVoider(database, call),
    ...stripeFinder(database, call),

    async submitDebit(order, now) {
      const { sessionId } = order;
      try {
        return await submit(order, now);
      } catch (error) {
        if (error instanceof DebitRefused) {
          logRefusal(error.cause, sessionId);
          return { result: 'refused', failure: error.failure };
        }
        if (isServerError(logRefusal(error, sessionId))) await countServerError(database, sessionId);
        return { result: 'unknown' };
      }
    },
  };
}

/** A debit that the bank refused can still be canceled, which changes nothing. */
function endOf({ last_payment_error: error }: PaymentIntent): Submission {
  return error ? { result: 'refused', failure: failureOf(error) } : { result: 'voided' };
}

/** Only a request to create or confirm an intent can be refused: a failed look-up says nothing of the debit. */
async function refusable<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    const failure = failureIn(error);
    throw failure ? new DebitRefused(failure, error) : error;
  }
}
