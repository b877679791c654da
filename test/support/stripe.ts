import { randomBytes } from 'node:crypto';
import type { Command } from '../../lib/local/stripe/control.ts';
import type { FaultKind } from '../../lib/local/stripe/faults.ts';
import type { Delivery, Forgery } from '../../lib/local/stripe/notifications.ts';
import type { Account, Outcome, Refund, StripeEvent } from '../../lib/local/stripe/records.ts';
import { startStandIn } from '../../lib/local/stripe/stand-in.ts';

/** Faults that immediately leave it unknown whether Stripe accepted a call. A response that is too late has its own test. */
export const silences: readonly FaultKind[] = [
  'dropped_before_acceptance',
  'dropped_after_acceptance',
  'rate_limited',
  'server_error',
  'server_error_after_acceptance',
  'idempotency_conflict',
];

/** Stripe's package sends a request again if its connection was dropped. */
export const timesOf = (kind: FaultKind) => (kind.startsWith('dropped') ? 2 : 1);

interface StripeReading {
  requests: {
    operation: string;
    path: string;
    account?: string;
    idempotencyKey?: string;
    input?: {
      readonly metadata?: Readonly<Record<string, string>>;
      readonly billing_details?: { readonly name: string };
    };
    status: number;
  }[];
  /** Requests that violate Stripe's published description. */
  problems: string[];
  /** `status` is the receiver's; 0 if it did not answer. */
  notifications: { event: string; type: string; status: number }[];
  /** The events of every account, oldest first. */
  events: StripeEvent[];
}

export interface StripeControl {
  /** Affects the next call of the operation (by its published ID, such as `PostPaymentIntents`) and account, or any next call. */
  fault(kind: FaultKind, options?: { operation?: string; account?: string; times?: number }): Promise<void>;
  clearFaults(): Promise<void>;
  rotateSecretKey(secretKey: string): Promise<void>;
  /** All secrets sign: there are two while one is rotated. */
  sign(secrets: { platform: string[]; connect: string[] }): Promise<void>;
  /** Notifications go nowhere until there is a URL. */
  notify(settings: { url?: string; deliver?: Delivery }): Promise<void>;
  /** No bank answers until `release`. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Moves Stripe's clock forward. */
  advance(milliseconds: number): Promise<void>;
  /** A connected account that can take debits, unless requirements are due. */
  createAccount(due?: string[]): Promise<Account>;
  /** Changes where payouts go. */
  changeBank(account: string, last4: string): Promise<Account>;
  require(
    account: string,
    due: string[],
    more?: { stopped?: ('debits' | 'payouts')[]; deadline?: number; disabledReason?: string },
  ): Promise<Account>;
  /** What a patient does in a connection's picker (by ID or client secret); `bank` as in banks.ts. False if it is down or silent. */
  connectBank(connection: string, bank: string): Promise<boolean>;
  /** Decides the outcome now, even while held. */
  settle(intent: string, outcome: Outcome): Promise<void>;
  return(intent: string, reason?: string): Promise<{ id: string }>;
  /** The bank gives back what it took. */
  winDispute(intent: string): Promise<{ id: string }>;
  refund(
    intent: string,
    order?: { amount?: number; reverseTransfer?: boolean; refundApplicationFee?: boolean },
  ): Promise<Refund>;
  /** What the bank does with a refund, even while held. */
  finishRefund(refund: string, outcome: 'succeeded' | 'failed'): Promise<void>;
  /** Pays out everything that the account, or the platform, earned. */
  payOut(account?: string): Promise<{ id: string; amount: number }>;
  /** Includes money that is not available yet. */
  balance(account: string): Promise<{ cents: number }>;
  /** The bank sends the payout back. */
  failPayout(payout: string, code?: string): Promise<{ id: string }>;
  /** Returns the receiver's status. */
  resend(event: string): Promise<number>;
  forge(event: string, how: Forgery): Promise<number>;
  /** Any object as Stripe stores it. */
  find(id: string): Promise<any>;
  read(): Promise<StripeReading>;
}

export interface TestStripe {
  readonly apiBase: string;
  readonly scriptUrl: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  readonly connectWebhookSecret: string;
  readonly control: StripeControl;
  stop(): Promise<void>;
}

/** Starts a stand-in for this test file. Its banks answer after `outcomeDelay` milliseconds. */
export async function startStripe(
  options: { outcomeDelay?: number; payoutDelay?: number; notifyUrl?: string } = {},
): Promise<TestStripe> {
  const random = () => randomBytes(12).toString('hex');
  const secrets = {
    secretKey: `sk_live_${random()}`,
    publishableKey: `pk_live_${random()}`,
    webhookSecret: `whsec_${random()}`,
    connectWebhookSecret: `whsec_${random()}`,
  };
  const { outcomeDelay = 50, payoutDelay, notifyUrl } = options;
  const { apiBase, scriptUrl, stop } = await startStandIn({
    port: 0,
    ...secrets,
    outcomeDelay,
    payoutDelay,
    notifyUrl,
  });
  return { apiBase, scriptUrl, ...secrets, control: controlOf(apiBase), stop };
}

export function controlOf(apiBase: string): StripeControl {
  async function run(command: Command): Promise<any> {
    const response = await fetch(`${apiBase}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${command.do}: ${JSON.stringify(answer)}`);
    return answer;
  }
  return {
    fault: (kind, settings = {}) => run({ do: 'fault', kind, ...settings }),
    clearFaults: () => run({ do: 'clear_faults' }),
    rotateSecretKey: (secretKey) => run({ do: 'rotate_secret_key', secretKey }),
    sign: (secrets) => run({ do: 'sign', ...secrets }),
    notify: (settings) => run({ do: 'notify', ...settings }),
    hold: () => run({ do: 'hold' }),
    release: () => run({ do: 'release' }),
    advance: (milliseconds) => run({ do: 'advance', milliseconds }),
    createAccount: (due = []) => run({ do: 'create_account', due }),
    changeBank: (account, last4) => run({ do: 'change_bank', account, last4 }),
    require: (account, due, more) => run({ do: 'require', account, due, ...more }),
    connectBank: (connection, bank) => run({ do: 'connect_bank', connection, bank }),
    settle: (intent, outcome) => run({ do: 'settle', intent, outcome }),
    return: (intent, reason) => run({ do: 'return', intent, reason }),
    winDispute: (intent) => run({ do: 'win_dispute', intent }),
    refund: (intent, order) => run({ do: 'refund', intent, ...order }),
    finishRefund: (refund, outcome) => run({ do: 'finish_refund', refund, outcome }),
    payOut: (account) => run({ do: 'pay_out', account }),
    failPayout: (payout, code) => run({ do: 'fail_payout', payout, code }),
    balance: (account) => run({ do: 'balance', account }),
    resend: (event) => run({ do: 'resend', event }),
    forge: (event, how) => run({ do: 'forge', event, how }),
    find: (id) => run({ do: 'find', id }),
    read: () => run({ do: 'read' }),
  };
}
