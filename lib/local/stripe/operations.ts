import * as z from 'zod';
import { createAccount, createAccountLink } from './accounts.ts';
import { answerConnection, createConnection, createPaymentMethod } from './connections.ts';
import { invalid, missing } from './errors.ts';
import { cancelIntent, confirmIntent, createIntent } from './intents.ts';
import type { Ledger } from './ledger.ts';
import { createRefund, reverseTransfer } from './refunds.ts';
import { newId, type Owner } from './state.ts';

interface Call {
  readonly ledger: Ledger;
  readonly owner: Owner;
  /** The ID in the path, if there is one. */
  readonly id: string;
  readonly path: string;
  /** Checked against the published schema. */
  readonly input: unknown;
  /** Serves the pages of Stripe. */
  readonly pageOrigin: string;
}

type Handler = (call: Call) => object;

const metadata = z.record(z.string(), z.string()).default({});

/** By the operation's published ID. */
export const operations: Readonly<Record<string, Handler>> = {
  PostAccounts: ({ ledger, input }) => createAccount(ledger, input),
  GetAccountsAccount: ({ ledger, id }) => ledger.state.accounts.get('', id),
  PostAccountLinks: ({ ledger, input, pageOrigin }) => createAccountLink(ledger, pageOrigin, input),
  PostCustomers: createCustomer,
  PostFinancialConnectionsSessions: ({ ledger, owner, input }) => createConnection(ledger, owner, input),
  GetFinancialConnectionsSessionsSession: ({ ledger: { state }, owner, id }) =>
    answerConnection(state, owner, state.connections.get(owner, id)),
  PostPaymentMethods: ({ ledger, owner, input }) => createPaymentMethod(ledger, owner, input),
  GetPaymentMethodsPaymentMethod: ({ ledger, owner, id }) => ledger.state.paymentMethods.get(owner, id),
  PostPaymentIntents: ({ ledger, owner, input }) => createIntent(ledger, owner, input),
  PostPaymentIntentsIntentConfirm: ({ ledger, owner, id, input }) => confirmIntent(ledger, owner, id, input),
  PostPaymentIntentsIntentCancel: ({ ledger, owner, id, input }) => cancelIntent(ledger, owner, id, input),
  GetPaymentIntentsIntent: ({ ledger, owner, id }) => ledger.state.intents.get(owner, id),
  GetPaymentIntents: ({ ledger, owner, input, path }) => listPage(ledger.state.intents.list(owner), input, path),
  GetMandatesMandate: ({ ledger, owner, id }) => ledger.state.mandates.get(owner, id),
  GetChargesCharge: ({ ledger, owner, id }) => ledger.state.charges.get(owner, id),
  GetCharges: ({ ledger, owner, input, path }) => listPage(ledger.state.charges.list(owner), input, path),
  GetDisputesDispute: ({ ledger, owner, id }) => ledger.state.disputes.get(owner, id),
  GetDisputes: ({ ledger, owner, input, path }) => listPage(ledger.state.disputes.list(owner), input, path),
  PostRefunds: refund,
  GetRefundsRefund: ({ ledger, owner, id }) => ledger.state.refunds.get(owner, id),
  GetRefunds: ({ ledger, owner, input, path }) => listPage(ledger.state.refunds.list(owner), input, path),
  GetTransfersTransfer: ({ ledger, id }) => ledger.state.transfers.get('', id),
  PostTransfersIdReversals: reverse,
  GetEventsId: ({ ledger, owner, id }) => ledger.state.events.get(owner, id),
  GetEvents: ({ ledger, owner, input, path }) => listPage(ledger.state.events.list(owner), input, path),
  GetBalanceTransactionsId: ({ ledger, owner, id }) => ledger.state.balanceTransactions.get(owner, id),
  GetBalanceTransactions: listBalanceTransactions,
  GetPayoutsPayout: ({ ledger, owner, id }) => ledger.state.payouts.get(owner, id),
  GetPayouts: ({ ledger, owner, input, path }) => listPage(ledger.state.payouts.list(owner), input, path),
};

const customerInput = z.object({ email: z.string().optional(), name: z.string().optional(), metadata });

function createCustomer({ ledger: { state }, owner, input }: Call): object {
  const { email = null, name = null, ...rest } = customerInput.parse(input);
  return state.customers.put(owner, {
    id: newId('cus'),
    object: 'customer',
    created: state.seconds(),
    livemode: state.livemode,
    email,
    name,
    ...rest,
  });
}

const refundInput = z.object({
  amount: z.number().optional(),
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  reason: z.string().optional(),
  reverse_transfer: z.boolean().optional(),
  metadata,
});

function refund({ ledger, owner, input }: Call): object {
  const { charge, payment_intent: intentId, reverse_transfer: reverseTransfer, ...order } = refundInput.parse(input);
  const { state } = ledger;
  const chargeId = charge ?? (intentId === undefined ? undefined : state.intents.get(owner, intentId).latest_charge);
  if (chargeId === undefined || chargeId === null)
    throw invalid('One of charge and payment_intent is needed.', { code: 'parameter_missing' });
  return createRefund(ledger, owner, state.charges.get(owner, chargeId), { ...order, reverseTransfer });
}

const reversalInput = z.object({ amount: z.number().optional(), metadata });

function reverse({ ledger, id, input }: Call): object {
  return reverseTransfer(ledger, id, reversalInput.parse(input));
}

const payoutFilter = z.looseObject({ payout: z.string().optional() });

function listBalanceTransactions({ ledger: { state }, owner, input, path }: Call): object {
  const { payout, ...query } = payoutFilter.parse(input);
  const inPayout = (id: string) => payout === undefined || state.payoutParts.find(owner, id)?.payout === payout;
  return listPage(
    state.balanceTransactions.list(owner).filter(({ id }) => inPayout(id)),
    query,
    path,
  );
}

const range = z.object({
  gt: z.number().optional(),
  gte: z.number().optional(),
  lt: z.number().optional(),
  lte: z.number().optional(),
});

const listQuery = z.object({
  created: z.union([range, z.number()]).optional(),
  limit: z.number().default(10),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
});

interface Listed {
  readonly id: string;
  readonly created: number;
}

/** One page of what fits the query. `objects` are newest first. Any other field of the query must equal the object's. */
function listPage(objects: readonly Listed[], query: unknown, url: string): object {
  const { created, limit, starting_after: after, ending_before: before } = listQuery.parse(query);
  const { created: _created, limit: _limit, starting_after: _after, ending_before: _before, ...equal } = filters(query);
  const found = objects.filter((object) => inRange(object.created, created) && equals(object, equal));
  const start = after === undefined ? 0 : indexOf(objects, found, after) + 1;
  const end = before === undefined ? found.length : indexOf(objects, found, before);
  const size = Math.min(Math.max(limit, 1), 100);
  const data = before === undefined ? found.slice(start, start + size) : found.slice(Math.max(end - size, start), end);
  const hasMore = before === undefined ? start + size < found.length : end - size > start;
  return { object: 'list', data, has_more: hasMore, url };
}

function filters(query: unknown): Record<string, unknown> {
  const { expand: _expand, types, ...others } = z.looseObject({ types: z.array(z.string()).optional() }).parse(query);
  return types === undefined ? others : { ...others, type: types };
}

function equals(object: object, equal: Record<string, unknown>): boolean {
  const fields = new Map<string, unknown>(Object.entries(object));
  return Object.entries(equal).every(([name, value]) =>
    Array.isArray(value) ? value.includes(fields.get(name)) : fields.get(name) === value,
  );
}

function inRange(created: number, wanted: z.infer<typeof listQuery>['created']): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'number') return created === wanted;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = wanted;
  return created > gt && created >= gte && created < lt && created <= lte;
}

function indexOf(objects: readonly Listed[], found: readonly Listed[], cursor: string): number {
  if (!objects.some(({ id }) => id === cursor)) throw missing('object', cursor, 'starting_after');
  return found.findIndex(({ id }) => id === cursor);
}
