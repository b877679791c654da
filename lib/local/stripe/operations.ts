import * as z from 'zod';
import { createAccount, createAccountLink } from './accounts.ts';
import { answerConnection, createConnection, createPaymentMethod } from './connections.ts';
import { invalid, missing } from './errors.ts';
import { cancelIntent, confirmIntent, createIntent } from './intents.ts';
import { balancesOf, type Ledger } from './ledger.ts';
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
  /** Serves Stripe's pages. */
  readonly pageOrigin: string;
}

type Handler = (call: Call) => object;

const metadata = z.record(z.string(), z.string()).default({});

/** Keyed by the operation's published ID. */
export const operations: Readonly<Record<string, Handler>> = {
  PostAccounts: ({ ledger, input }) => createAccount(ledger, input),
  GetAccountsAccount: ({ ledger, id }) => ledger.state.accounts.get('', id),
  PostAccountLinks: ({ ledger, input, pageOrigin }) => createAccountLink(ledger, pageOrigin, input),
  PostCustomers: createCustomer,
  PostFinancialConnectionsSessions: ({ ledger, owner, input }) => createConnection(ledger, owner, input),
  GetFinancialConnectionsSessionsSession: ({ ledger: { state }, owner, id }) =>
    answerConnection(state, owner, state.connections.get(owner, id)),
  PostPaymentMethods: ({ ledger, owner, input }) => createPaymentMethod(ledger, owner, input),
  PostPaymentIntents: ({ ledger, owner, input }) => createIntent(ledger, owner, input),
  PostPaymentIntentsIntentConfirm: ({ ledger, owner, id, input }) => confirmIntent(ledger, owner, id, input),
  PostPaymentIntentsIntentCancel: ({ ledger, owner, id, input }) => cancelIntent(ledger, owner, id, input),
  GetPaymentIntentsIntent: ({ ledger, owner, id }) => ledger.state.intents.get(owner, id),
  GetPaymentIntents: ({ ledger, owner, input, path }) => listPage(ledger.state.intents.list(owner), input, path),
  GetChargesCharge: ({ ledger, owner, id }) => ledger.state.charges.get(owner, id),
  GetDisputes: ({ ledger, owner, input, path }) => listPage(ledger.state.disputes.list(owner), input, path),
  PostRefunds: refund,
  GetRefundsRefund: ({ ledger, owner, id }) => ledger.state.refunds.get(owner, id),
  GetRefunds: ({ ledger, owner, input, path }) => listPage(ledger.state.refunds.list(owner), input, path),
  GetTransfersTransfer: ({ ledger, id }) => ledger.state.transfers.get('', id),
  PostTransfersIdReversals: reverse,
  GetEvents: ({ ledger, owner, input, path }) => listPage(ledger.state.events.list(owner), input, path),
  GetBalance: answerBalance,
  GetBalanceTransactions: listBalanceTransactions,
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
  refund_application_fee: z.boolean().optional(),
  metadata,
});

function refund({ ledger, owner, input }: Call): object {
  const {
    charge,
    payment_intent: intentId,
    reverse_transfer,
    refund_application_fee,
    ...order
  } = refundInput.parse(input);
  const also = { reverseTransfer: reverse_transfer, refundApplicationFee: refund_application_fee };
  const { state } = ledger;
  const chargeId = charge ?? (intentId === undefined ? undefined : state.intents.get(owner, intentId).latest_charge);
  if (chargeId === undefined || chargeId === null)
    throw invalid('One of charge and payment_intent is needed.', { code: 'parameter_missing' });
  return createRefund(ledger, owner, state.charges.get(owner, chargeId), { ...order, ...also });
}

const reversalInput = z.object({
  amount: z.number().optional(),
  refund_application_fee: z.boolean().optional(),
  metadata,
});

function reverse({ ledger, id, input }: Call): object {
  const { refund_application_fee: refundApplicationFee, ...order } = reversalInput.parse(input);
  return reverseTransfer(ledger, id, { ...order, refundApplicationFee });
}

function answerBalance({ ledger, owner }: Call): object {
  const { available, pending } = balancesOf(ledger, owner);
  const inDollars = (amount: number) => [{ amount, currency: 'usd', source_types: { bank_account: amount } }];
  return {
    object: 'balance',
    available: inDollars(available),
    livemode: ledger.state.livemode,
    pending: inDollars(pending),
  };
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

const listQuery = z.looseObject({
  created: z.strictObject({ gte: z.number().optional(), lt: z.number().optional() }).default({}),
  limit: z.number().default(10),
  starting_after: z.string().optional(),
  types: z.array(z.string()).optional(),
  expand: z.array(z.string()).optional(),
});

interface Listed {
  readonly id: string;
  readonly created: number;
  readonly [field: string]: unknown;
}

/** One page of the objects that match the query. `objects` are newest first. Any other field of the query must equal the object's. */
function listPage(objects: readonly Listed[], query: unknown, url: string): object {
  const { created, limit, starting_after: after, types, expand: _expand, ...equal } = listQuery.parse(query);
  const { gte = 0, lt = Infinity } = created;
  if (after !== undefined && !objects.some(({ id }) => id === after)) throw missing('object', after, 'starting_after');
  const found = objects.filter(
    (object) =>
      object.created >= gte &&
      object.created < lt &&
      (types?.includes(String(object['type'])) ?? true) &&
      Object.entries(equal).every(([name, value]) => object[name] === value),
  );
  const start = found.findIndex(({ id }) => id === after) + 1;
  const end = start + Math.min(Math.max(limit, 1), 100);
  return { object: 'list', data: found.slice(start, end), has_more: end < found.length, url };
}
