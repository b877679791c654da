import Stripe from 'stripe';
import * as z from 'zod/mini';
import { Problem } from '../../contract/problem.ts';
import { logError, logFault, logInfo } from '../../log.ts';
import type { IgnoredNotification } from '../../contract/metrics.ts';
import type { SendTickets } from '../../messages/queues.ts';
import type { Database, ReadingTools } from '../../store/database.ts';
import { findSessionOfDebit, getProcessorDebit } from '../../store/payments/processor-debits.ts';
import { insertProcessorEvent } from '../../store/payments/processor-events.ts';
import {
  isAboutAccount,
  readEvent,
  type StripeEvent,
  type CheckSignature,
  type SignedBody,
  debitEventTypes,
  eventOf,
} from './event.ts';
import { platformAccount } from '../../domain/payments/booking.ts';
import { toEpochSeconds } from '../../domain/time.ts';
import { AccountGone, type ListPage, type NotificationRepairer } from '../processor.ts';
import type { CallStripe } from './client.ts';

interface StoreTools extends ReadingTools {
  readonly sendSettlements: SendTickets;
}

interface ReceiveTools extends StoreTools {
  readonly checkSignature: CheckSignature;
  /** Asks the processor about an account. False if no practice has it. */
  readonly followAccount: (account: string, now: number) => Promise<boolean>;
}

export async function receiveStripeEvent(tools: ReceiveTools, signed: SignedBody, now: number): Promise<void> {
  if (!(await tools.checkSignature(signed, now))) {
    logIgnored('signature');
    throw new Problem('signature_invalid', 'Sign the raw body with a signing secret of this stage.');
  }
  const event = readEvent(signed.body);
  const result = event ? await handle(tools, event, now) : 'type';
  if (result !== 'stored') logIgnored(result, event);
}

async function handle(tools: ReceiveTools, event: StripeEvent, now: number): Promise<'stored' | IgnoredNotification> {
  if (!isAboutAccount(event)) return storeEvent(tools, event, now);
  // Asks Stripe before we respond: if that fails, Stripe sends the notification again.
  return event.account !== undefined && (await tools.followAccount(event.account, now)) ? 'stored' : 'account';
}

/** Stores an event that may change a session. Settling looks the debit up, so neither order nor content matters. */
async function storeEvent(
  { database, sendSettlements }: StoreTools,
  { eventId: processorEventId, type, account, debit }: StripeEvent,
  now: number,
): Promise<'stored' | IgnoredNotification> {
  if (!debit) return 'type';
  const found =
    (await findDebit(database, debit.debitId, debit.sessionId)) ??
    (await findDebit(database, debit.debitId, await findSessionOfDebit(database, debit.debitId)));
  if (!found) {
    logUnknown(debit, type);
    return 'debit';
  }
  const { sessionId, entered } = found;
  // The owner of another account could send an event that names our debit.
  if (account !== (entered.chargeType === 'direct' ? entered.account : undefined)) return 'account';
  if (!(await insertProcessorEvent(database, { sessionId, processorEventId, type }, now))) return 'duplicate';
  logInfo('notification stored', { sessionId, processorEventId, type });
  try {
    await sendSettlements([{ body: { sessionId, processorEventId } }]);
  } catch (error) {
    // The event is stored, so the sweep sends the ticket.
    logFault('ticket not sent', error, { sessionId, processorEventId });
  }
  return 'stored';
}

/** Checks the session ID: it comes from metadata, which other accounts can write. */
async function findDebit(database: Database, debitId: string, sessionId: string | undefined) {
  if (sessionId === undefined) return undefined;
  const entered = (await getProcessorDebit(database, sessionId))?.debit;
  return entered?.debitId === debitId ? { sessionId, entered } : undefined;
}

/** We store a debit before we confirm it, so a row is missing only after a restore, or if someone forged our metadata. */
function logUnknown({ sessionId, debitId }: NonNullable<StripeEvent['debit']>, type: string): void {
  const moves = type === 'payment_intent.processing' || type === 'payment_intent.succeeded';
  if (moves && sessionId !== undefined)
    logError('debit without a row', { sessionId, debitId }, [{ metric: 'UnknownDebits', value: 1 }]);
}

function logIgnored(reason: IgnoredNotification, event?: StripeEvent): void {
  logInfo('notification ignored', { reason, processorEventId: event?.eventId, type: event?.type }, [
    { metric: 'IgnoredNotifications', value: 1, by: reason },
  ]);
}

const listed = z.object({ data: z.array(z.looseObject({ id: z.string() })), has_more: z.boolean() });

export function stripeRepairer(tools: StoreTools, call: CallStripe): NotificationRepairer {
  async function list(account: string, page: ListPage) {
    return call(async (stripe) =>
      z.parse(
        listed,
        await stripe.events.list(
          {
            types: [...debitEventTypes],
            ...pageParams(page),
          },
          account === platformAccount ? {} : { stripeAccount: account },
        ),
      ),
    );
  }

  return async (account, page, now) => {
    const { data, has_more: hasMore } = await list(account, page).catch((error: unknown) => {
      throw isGone(error) ? new AccountGone(`${account} is gone`) : error;
    });
    let repaired = 0;
    for (const each of data) {
      const event = eventOf(each);
      // Listed events lack `account`.
      const found = event && { ...event, account: account === platformAccount ? undefined : account };
      if (found && (await storeEvent(tools, found, now)) === 'stored') repaired += 1;
    }
    return { repaired, after: hasMore ? data.at(-1)?.id : undefined };
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Stripe.errors.StripePermissionError && error.code === 'account_invalid';
}

export function pageParams(page: ListPage) {
  return { created: createdIn(page), limit: 100, ...(page.after !== undefined && { starting_after: page.after }) };
}

/** Stripe's times are in whole seconds. The end of one period is the start of the next. */
export function createdIn({ from, to }: ListPage): { gte: number; lt: number } {
  return { gte: toEpochSeconds(Date.parse(from)), lt: toEpochSeconds(Date.parse(to)) };
}
