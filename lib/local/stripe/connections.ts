import * as z from 'zod';
import { outcome, type Connection, type PaymentMethod } from './records.ts';
import { invalid, missing } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { newId, type Owner, type State } from './state.ts';

interface TestBank {
  readonly name: string;
  /** How the picker describes it. */
  readonly does: string;
}

const bankId = z.enum([...outcome.options, 'bank_down', 'silent']);

export const testBanks: Readonly<Record<z.infer<typeof bankId>, TestBank>> = {
  success: { name: 'Test Bank', does: 'pays' },
  insufficient_funds: { name: 'Empty Bank', does: 'fails: insufficient funds' },
  account_closed: { name: 'Closed Bank', does: 'fails: account closed' },
  debit_not_authorized: { name: 'Refusing Bank', does: 'fails: debit not authorized' },
  processor_error: { name: 'Broken Bank', does: 'fails: processor error' },
  account_unusable: { name: 'Blocked Bank', does: 'is refused at once' },
  unconfirmable: { name: 'Puzzled Bank', does: 'makes Stripe call the request invalid' },
  over_limit: { name: 'Thrifty Bank', does: 'is over a limit of Stripe' },
  needs_deposits: { name: 'Doubting Bank', does: 'wants test deposits first' },
  stays_processing: { name: 'Slow Bank', does: 'stays processing, can be canceled' },
  cancel_refused: { name: 'Stubborn Bank', does: 'stays processing, cannot be canceled' },
  late_return: { name: 'Second-Thoughts Bank', does: 'pays, then takes it back' },
  bank_down: { name: 'Sleeping Bank', does: 'is down' },
  silent: { name: 'Silent Bank', does: 'closes the picker without an answer to the page' },
};

const connectionInput = z.object({
  account_holder: z.record(z.string(), z.string()),
  permissions: z.array(z.string()),
  filters: z.record(z.string(), z.unknown()).default({}),
});

export function createConnection({ state }: Ledger, owner: Owner, input: unknown): object {
  const { account_holder: holder, permissions, filters } = connectionInput.parse(input);
  if (holder['type'] === 'customer') state.customers.get(owner, holder['customer'] ?? '');
  const id = newId('fcsess');
  const connection = state.connections.put(owner, {
    id,
    object: 'financial_connections.session',
    livemode: state.livemode,
    account_holder: holder,
    accounts: [],
    client_secret: newId('fcsess_client_secret'),
    filters,
    permissions,
  });
  return answerConnection(state, owner, connection);
}

export function answerConnection(state: State, owner: Owner, connection: Connection): object {
  return {
    ...connection,
    accounts: {
      object: 'list',
      data: accountsOf(state, owner, connection),
      has_more: false,
      url: '/v1/financial_connections/accounts',
    },
  };
}

export function accountsOf(state: State, owner: Owner, { accounts }: Connection) {
  return accounts.map((id) => state.bankAccounts.get(owner, id));
}

export function findConnection(state: State, idOrSecret: string): { owner: Owner; value: Connection } | undefined {
  return state.connections.all().find(({ value }) => [value.id, value.client_secret].includes(idOrSecret));
}

export type Picking = 'connected' | 'bank_down' | 'silent';

/** What a patient does in the bank picker. */
export function connectTestBank(ledger: Ledger, idOrSecret: string, chosen: string): Picking {
  const { state } = ledger;
  const found = findConnection(state, idOrSecret);
  if (found === undefined) throw missing('financial_connections.session', idOrSecret);
  const { owner, value: connection } = found;
  const { data: bank } = bankId.safeParse(chosen);
  if (bank === undefined) throw invalid(`No such test bank: ${chosen}`);
  if (bank === 'bank_down' || bank === 'silent') return bank;
  const account = state.bankAccounts.put(owner, {
    id: newId('fca'),
    object: 'financial_connections.account',
    created: state.seconds(),
    livemode: state.livemode,
    account_holder: connection.account_holder,
    category: 'cash',
    display_name: 'Checking',
    institution_name: testBanks[bank].name,
    last4: '6789',
    permissions: connection.permissions,
    status: 'active',
    subcategory: 'checking',
    supported_payment_method_types: ['us_bank_account'],
  });
  state.outcomes.put(owner, { id: account.id, outcome: bank });
  state.connections.change(owner, connection.id, { accounts: [account.id] });
  ledger.record(owner, 'financial_connections.account.created', account);
  return 'connected';
}

const methodInput = z.object({
  type: z.literal('us_bank_account'),
  us_bank_account: z.object({
    financial_connections_account: z.string(),
    account_holder_type: z.enum(['company', 'individual']).default('individual'),
  }),
  billing_details: z.object({
    name: z.string(),
    email: z.string().optional(),
    phone: z.string().optional(),
    address: z.unknown().optional(),
  }),
  metadata: z.record(z.string(), z.string()).default({}),
});

export function createPaymentMethod({ state }: Ledger, owner: Owner, input: unknown): PaymentMethod {
  const { data: method } = methodInput.safeParse(input);
  if (method === undefined)
    throw invalid('A us_bank_account needs a financial_connections_account and billing_details[name].', {
      code: 'parameter_missing',
    });
  const { financial_connections_account: accountId, account_holder_type } = method.us_bank_account;
  const account = state.bankAccounts.get(owner, accountId);
  const { name, email = null, phone = null, address = null } = method.billing_details;
  return state.paymentMethods.put(owner, {
    id: newId('pm'),
    object: 'payment_method',
    created: state.seconds(),
    livemode: state.livemode,
    type: 'us_bank_account',
    billing_details: { name, email, phone, address },
    customer: null,
    us_bank_account: {
      account_holder_type,
      account_type: account.subcategory,
      bank_name: account.institution_name,
      financial_connections_account: accountId,
      fingerprint: `fp_${accountId.slice(4, 20)}`,
      last4: account.last4,
      networks: { preferred: 'ach', supported: ['ach'] },
      routing_number: '110000000',
      status_details: null,
    },
    metadata: method.metadata,
  });
}
