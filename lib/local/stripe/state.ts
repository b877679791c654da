import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Clock } from '../../../functions/domain/time.ts';
import { missing } from './errors.ts';
import * as records from './records.ts';

/** The connected account that owns an object; the platform is ''. */
export type Owner = string;

const savedState = z.record(z.string(), z.array(z.object({ owner: z.string(), value: z.unknown() })));

export type State = ReturnType<typeof openState>;

/** With a file, the state survives a restart. */
export function openState(file: string | undefined, livemode: boolean, clock: Clock = Date.now) {
  const saved = file === undefined ? {} : read(file);
  let offset = 0;
  const open = <T extends { id: string }>(kind: string, schema: z.ZodType<T>) =>
    collection(
      kind,
      (saved[kind] ?? []).map(({ owner, value }) => ({ owner, value: schema.parse(value) })),
    );
  const collections = {
    accounts: open('account', records.account),
    accountLinks: open('account link', records.accountLink),
    customers: open('customer', records.customer),
    bankAccounts: open('financial_connections.account', records.bankAccount),
    outcomes: open('outcome', records.bankAccountOutcome),
    connections: open('financial_connections.session', records.connection),
    paymentMethods: open('payment_method', records.paymentMethod),
    intents: open('payment_intent', records.intent),
    charges: open('charge', records.charge),
    mandates: open('mandate', records.mandate),
    disputes: open('dispute', records.dispute),
    refunds: open('refund', records.refund),
    transfers: open('transfer', records.transfer),
    reversals: open('transfer_reversal', records.transferReversal),
    balanceTransactions: open('balance_transaction', records.balanceTransaction),
    payouts: open('payout', records.payout),
    payoutParts: open('payout part', records.payoutPart),
    events: open('event', records.stripeEvent),
    tasks: open('task', records.task),
    answers: open('answer', records.answered),
  };
  const {
    accountLinks: _links,
    outcomes: _outcomes,
    payoutParts: _parts,
    tasks: _tasks,
    answers: _answers,
    ...answerable
  } = collections;
  return {
    ...collections,
    livemode,
    /** Any object that Stripe returns, by its ID. */
    findAny: (owner: Owner, id: string): object | undefined =>
      Object.values(answerable)
        .map((each) => each.find(owner, id) ?? each.find('', id))
        .find((found) => found !== undefined),
    /** The same, whoever owns it. */
    findEverywhere: (id: string): object | undefined =>
      Object.values(answerable)
        .flatMap((each) => each.all().filter(({ value }) => value.id === id))
        .map(({ value }) => value)[0],
    /** In milliseconds. Ahead of the machine's clock after `advance`. */
    now: () => clock() + offset,
    /** In seconds, like Stripe's times. */
    seconds: () => Math.floor((clock() + offset) / 1000),
    advance(milliseconds: number): void {
      offset += milliseconds;
    },
    save(): void {
      if (file === undefined) return;
      const all = Object.fromEntries(Object.values(collections).map((each) => [each.kind, each.all()]));
      writeFileSync(`${file}.new`, JSON.stringify(all), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

function read(file: string): z.infer<typeof savedState> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  return savedState.parse(JSON.parse(text));
}

function collection<T extends { id: string }>(kind: string, kept: readonly { owner: Owner; value: T }[]) {
  const rows = new Map(kept.map((row) => [`${row.owner}/${row.value.id}`, row]));
  const find = (owner: Owner, id: string) => rows.get(`${owner}/${id}`)?.value;
  /** Throws Stripe's error if there is none. */
  const get = (owner: Owner, id: string): T => {
    const found = find(owner, id);
    if (found === undefined) throw missing(kind, id);
    return found;
  };
  const put = (owner: Owner, value: T): T => {
    rows.set(`${owner}/${value.id}`, { owner, value });
    return value;
  };
  const all = () => [...rows.values()];
  return {
    kind,
    put,
    find,
    get,
    change: (owner: Owner, id: string, change: Partial<T>) => put(owner, { ...get(owner, id), ...change }),
    /** Newest first. */
    list: (owner: Owner) =>
      all()
        .flatMap((row) => (row.owner === owner ? [row.value] : []))
        .toReversed(),
    all,
    delete: (owner: Owner, id: string) => void rows.delete(`${owner}/${id}`),
  };
}
