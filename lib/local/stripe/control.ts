import * as z from 'zod';
import { createAccount, setBankAccount, updateRequirements } from './accounts.ts';
import type { ReceivedRequest } from './api.ts';
import { connectTestBank } from './connections.ts';
import { settleDebit } from './debits.ts';
import { returnDebit, winDispute } from './disputes.ts';
import { missing } from './errors.ts';
import { faultKinds, type Faults } from './faults.ts';
import { balanceOf, type Ledger } from './ledger.ts';
import type { createNotifier } from './notifications.ts';
import { failPayout, payOut } from './payouts.ts';
import { outcome, refundOutcomes } from './records.ts';
import { createRefund, finishRefund } from './refunds.ts';
import type { Owner } from './state.ts';

const intent = z.string();

export const command = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('fault'),
    kind: z.enum(faultKinds),
    operation: z.string().optional(),
    account: z.string().optional(),
    times: z.number().default(1),
  }),
  z.object({ do: z.literal('clear_faults') }),
  z.object({ do: z.literal('rotate_secret_key'), secretKey: z.string() }),
  z.object({ do: z.literal('sign'), platform: z.array(z.string()), connect: z.array(z.string()) }),
  z.object({
    do: z.literal('notify'),
    url: z.string().optional(),
    deliver: z.enum(['once', 'twice', 'reversed', 'never']).optional(),
  }),
  z.object({ do: z.literal('hold') }),
  z.object({ do: z.literal('release') }),
  z.object({ do: z.literal('advance'), milliseconds: z.number() }),
  z.object({ do: z.literal('create_account'), due: z.array(z.string()).default([]) }),
  z.object({
    do: z.literal('require'),
    account: z.string(),
    due: z.array(z.string()).optional(),
    stopped: z.array(z.enum(['debits', 'payouts'])).optional(),
    deadline: z.number().optional(),
    disabledReason: z.string().optional(),
  }),
  z.object({ do: z.literal('change_bank'), account: z.string(), last4: z.string() }),
  z.object({ do: z.literal('connect_bank'), connection: z.string(), bank: z.string() }),
  z.object({ do: z.literal('settle'), intent, outcome }),
  z.object({ do: z.literal('return'), intent, reason: z.string().optional() }),
  z.object({ do: z.literal('win_dispute'), intent }),
  z.object({
    do: z.literal('refund'),
    intent,
    amount: z.number().optional(),
    reverseTransfer: z.boolean().optional(),
    refundApplicationFee: z.boolean().optional(),
  }),
  z.object({ do: z.literal('finish_refund'), refund: z.string(), outcome: z.enum(refundOutcomes) }),
  z.object({ do: z.literal('pay_out'), account: z.string().optional() }),
  z.object({ do: z.literal('fail_payout'), payout: z.string(), code: z.string().default('account_closed') }),
  z.object({ do: z.literal('balance'), account: z.string() }),
  z.object({ do: z.literal('resend'), event: z.string() }),
  z.object({
    do: z.literal('forge'),
    event: z.string(),
    how: z.enum(['wrong_secret', 'old_timestamp', 'changed_body', 'wrong_account']),
  }),
  z.object({ do: z.literal('find'), id: z.string() }),
  z.object({ do: z.literal('read') }),
]);
export type Command = z.input<typeof command>;

interface Controlled {
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly notifier: ReturnType<typeof createNotifier>;
  readonly requests: readonly ReceivedRequest[];
  readonly problems: readonly string[];
  setSecretKey(key: string): void;
  hold(held: boolean): void;
}

/** Does what a test or a demo asks. Throws StripeError if it cannot. */
export async function runCommand(controlled: Controlled, given: z.output<typeof command>): Promise<unknown> {
  const { ledger, faults, notifier } = controlled;
  const { state } = ledger;
  switch (given.do) {
    case 'fault':
      return faults.plan(given);
    case 'clear_faults':
      return faults.clear();
    case 'rotate_secret_key':
      return controlled.setSecretKey(given.secretKey);
    case 'sign':
      notifier.secrets = given;
      return undefined;
    case 'notify':
      notifier.url = given.url ?? notifier.url;
      notifier.delivery = given.deliver ?? notifier.delivery;
      return undefined;
    case 'hold':
      return controlled.hold(true);
    case 'release':
      return controlled.hold(false);
    case 'advance':
      return state.advance(given.milliseconds);
    case 'create_account': {
      const capabilities = { us_bank_account_ach_payments: { requested: true }, transfers: { requested: true } };
      const settings = { payouts: { debit_negative_balances: true } };
      return updateRequirements(ledger, createAccount(ledger, { capabilities, settings }).id, given);
    }
    case 'require':
      return updateRequirements(ledger, given.account, given);
    case 'change_bank':
      return setBankAccount(ledger, given.account, given.last4);
    case 'connect_bank':
      return connectTestBank(ledger, given.connection, given.bank) === 'connected';
    case 'settle':
      return settleDebit(ledger, ownerOf(state.intents, given.intent), given.intent, given.outcome);
    case 'return':
      return returnDebit(ledger, ownerOf(state.intents, given.intent), given.intent, given.reason);
    case 'win_dispute':
      return winDispute(ledger, ownerOf(state.intents, given.intent), given.intent);
    case 'refund': {
      const owner = ownerOf(state.intents, given.intent);
      const chargeId = state.intents.get(owner, given.intent).latest_charge ?? '';
      return createRefund(ledger, owner, state.charges.get(owner, chargeId), given);
    }
    case 'finish_refund':
      return finishRefund(ledger, ownerOf(state.refunds, given.refund), given.refund, given.outcome);
    case 'pay_out':
      return payOut(ledger, given.account ?? '');
    case 'fail_payout':
      return failPayout(ledger, ownerOf(state.payouts, given.payout), given.payout, given.code);
    case 'balance':
      return { cents: balanceOf(ledger, given.account) };
    case 'resend':
      return notifier.resend(eventOf(given.event));
    case 'forge':
      return notifier.forge(eventOf(given.event), given.how);
    case 'find':
      return state.findEverywhere(given.id);
    case 'read':
      return {
        requests: controlled.requests,
        problems: controlled.problems,
        notifications: notifier.sent,
        events: state.events.all().map(({ value }) => value),
      };
    default:
      return given satisfies never;
  }

  function eventOf(id: string) {
    return state.events.get(ownerOf(state.events, id), id);
  }
}

interface Rows {
  readonly kind: string;
  all(): { owner: Owner; value: { id: string } }[];
}

function ownerOf({ kind, all }: Rows, id: string): Owner {
  const row = all().find(({ value }) => value.id === id);
  if (row === undefined) throw missing(kind, id);
  return row.owner;
}
