import * as z from 'zod/mini';
import type { Database } from '../../store/database.ts';
import { getProcessorDebit, enterProcessorDebit } from '../../store/payments/processor-debits.ts';
import type { DebitFinder, DebitOrder, ReferenceFinder } from '../processor.ts';
import type { CallStripe } from './client.ts';
import {
  listDisputes,
  listRefunds,
  retrieveIntent,
  findIntent,
  chargeOf,
  type Dispute,
  type PaymentIntent,
  type Refund,
} from './intents.ts';
import type { EnteredDebit, ProcessorDebit, DebitState } from '../../domain/payments/debit.ts';
import type { RefundTotals } from '../../domain/payments/refund.ts';
import { hour, toIso } from '../../domain/time.ts';
import { logInfo } from '../../log.ts';
import { unreachable } from '../../domain/fault.ts';
import { refusalOf, returnOf } from './failures.ts';
import { readAccount } from './account.ts';

/** Undefined if the intent has no charge: there was never a debit. */
export function debitStateOf(intent: PaymentIntent, disputes: readonly Dispute[]): DebitState | undefined {
  const { status } = intent;
  const failure = refusalOf(intent);
  if (!intent.latest_charge) return undefined;
  const at = toIso((chargeOf(intent)?.created ?? intent.created) * 1000);
  switch (status) {
    case 'processing':
    case 'requires_capture':
      return { state: 'pending' };
    case 'succeeded': {
      const lost = disputes.find((dispute) => !keepsTheMoney.has(dispute.status));
      return lost ? { state: 'returned', at, return: returnOf(lost.reason) } : { state: 'succeeded', at };
    }
    case 'canceled':
    case 'requires_payment_method':
      return failure ? { state: 'failed', at, failure } : { state: 'voided' };
    case 'requires_action':
    case 'requires_confirmation':
      return undefined;
    default:
      return unreachable(status);
  }
}

/** Undefined if there was no refund. */
function totalsOf(refunds: readonly Refund[]): RefundTotals | undefined {
  const [newest] = refunds;
  if (!newest) return undefined;
  const sumOf = (status: RefundTotals['status']) =>
    refunds.reduce((sum, { status: of, amount }) => (statusOf(of) === status ? sum + amount : sum), 0);
  const [pendingCents, failedCents] = [sumOf('pending'), sumOf('failed')];
  return {
    amountCents: sumOf('succeeded') + pendingCents,
    status: statusOf(newest.status),
    ...(pendingCents > 0 && { pendingCents }),
    ...(failedCents > 0 && { failedCents }),
  };
}

function statusOf(status: string): NonNullable<RefundTotals['status']> {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

function isDisputed(intent: PaymentIntent): boolean {
  return chargeOf(intent)?.disputed === true;
}

const keepsTheMoney = new Set(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed']);

const transfer = z.object({ amount: z.int(), amount_reversed: z.int() });

/** Reverses the transfer of a returned destination charge: the bank took the money from our account. */
async function reverseTransfer(call: CallStripe, sessionId: string, debit: EnteredDebit, now: number): Promise<void> {
  const { transfer: transferId, application_fee_amount: fee } = chargeOf(await retrieveIntent(call, debit)) ?? {};
  if (!transferId) return;
  const reversed = await call(async (stripe) => {
    const { amount, amount_reversed: already } = z.parse(transfer, await stripe.transfers.retrieve(transferId));
    if (already >= amount) return false;
    // Without an amount, Stripe reverses what is left. The key changes hourly, because Stripe replays an error for a day.
    const idempotencyKey = `reverse:${sessionId}:${Math.floor(now / hour)}`;
    // Returns the fee too, or the practice's account could be short by that much.
    const params = { metadata: { sessionId }, ...(fee && { refund_application_fee: true }) };
    await stripe.transfers.createReversal(transferId, params, { idempotencyKey });
    return true;
  });
  if (reversed) logInfo('transfer reversed', { sessionId, debitId: debit.debitId });
}

/** Looks the debit up at Stripe by its stored ID. Throws if Stripe does not answer. */
export function stripeFinder(database: Database, call: CallStripe): DebitFinder {
  return {
    async findDebit(sessionId) {
      const found = await getProcessorDebit(database, sessionId);
      if (!found?.debit) return undefined;
      const { debitId, submittedAt } = found.debit;
      const intent = await retrieveIntent(call, found.debit);
      const state = debitStateOf(intent, isDisputed(intent) ? await listDisputes(call, found.debit) : []);
      const refunds = intent.status === 'succeeded' ? totalsOf(await listRefunds(call, found.debit)) : undefined;
      return state && { debitId, submittedAt, state, refunds };
    },

    /** Stripe notifies us of every later outcome. All that is left is to reverse the transfer of a returned debit. */
    async acknowledge(sessionId, { state }, now) {
      if (state !== 'returned') return;
      const found = await getProcessorDebit(database, sessionId);
      if (found?.debit?.chargeType === 'destination') await reverseTransfer(call, sessionId, found.debit, now);
    },
  };
}

export function wasAuthorizedBefore({ authorizedAt }: DebitOrder, time: number): boolean {
  return authorizedAt !== undefined && Date.parse(authorizedAt) < time;
}

/**
 * A restored table may lack a debit that Stripe has: looks for it there and enters it. Returns what stands afterward, or
 * undefined if Stripe has none.
 */
export async function enterLost(
  database: Database,
  call: CallStripe,
  order: DebitOrder,
  now: number,
): Promise<ProcessorDebit | undefined> {
  const lost = await findIntent(call, order);
  return lost && enterProcessorDebit(database, order.sessionId, { ...lost, submittedAt: toIso(now) });
}

/** Uses the account in the evidence, because a session that has ended no longer has one. */
export function stripeReferences(call: CallStripe): ReferenceFinder {
  return {
    async findReferences({ debitId, processorAccount }) {
      const { deposit } = readAccount(processorAccount);
      const charge = chargeOf(await retrieveIntent(call, { debitId, ...deposit }));
      const {
        mandate,
        payment_reference: payment,
        routing_number,
      } = charge?.payment_method_details?.us_bank_account ?? {};
      return {
        ...(mandate && { mandate }),
        ...(payment && { payment }),
        ...(routing_number && { routingNumberLast4: routing_number.slice(-4) }),
      };
    },
  };
}
