import * as z from 'zod/mini';
import type { BankAccount, DebitReturn, DebitState, Failure } from './debit.ts';
import { unreachable } from '../fault.ts';
import { sha256 } from '../identifier.ts';
import { isoTime, toIso } from '../time.ts';
import type { RefundTotals } from './refund.ts';

const enteredDebit = z.object({
  username: z.string(),
  amountCents: z.int(),
  submittedAt: isoTime,
  /** The times of all outcomes up to the last advanced one. */
  advanced: z.optional(z.array(isoTime)),
});

const sandboxRefund = z.object({ refundId: z.string(), amountCents: z.int(), createdAt: isoTime });
export type SandboxRefund = z.infer<typeof sandboxRefund>;

export const sandboxDebit = z.object({
  sessionId: z.string(),
  debit: z.optional(enteredDebit),
  refunds: z.optional(z.array(sandboxRefund)),
  voidedAt: z.optional(isoTime),
  reportedAt: z.optional(isoTime),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type SandboxDebit = z.infer<typeof sandboxDebit>;
export type EnteredDebit = z.infer<typeof enteredDebit>;

export type DebitFate =
  | {
      readonly end: 'succeeds';
      readonly returned?: Omit<DebitReturn, 'returnedAt'>;
      /** The bank has it: it cannot be voided, and its outcome waits until somebody advances it. */
      readonly waits?: true;
    }
  | { readonly end: 'fails'; readonly failure: Failure }
  | { readonly end: 'refused'; readonly failure: Failure }
  | { readonly end: 'never' };

type Connection =
  | { readonly connects: true; readonly fate: DebitFate }
  | { readonly connects: false; readonly unavailable: boolean };

const sandboxUsers = {
  user_good: { connects: true, fate: { end: 'succeeds' } },
  user_bad: { connects: false, unavailable: false },
  user_bank_down: { connects: false, unavailable: true },
  user_insufficient_funds: {
    connects: true,
    fate: {
      end: 'fails',
      failure: { code: 'insufficient_funds', message: 'The account did not have enough money.', achReturnCode: 'R01' },
    },
  },
  user_account_closed: {
    connects: true,
    fate: {
      end: 'fails',
      failure: { code: 'account_closed', message: 'The account is closed.', achReturnCode: 'R02' },
    },
  },
  user_declined: {
    connects: true,
    fate: { end: 'fails', failure: { code: 'bank_declined', message: 'The bank declined the debit.' } },
  },
  user_processor_error: {
    connects: true,
    fate: {
      end: 'refused',
      failure: { code: 'processor_error', message: 'The payment processor could not process the debit.' },
    },
  },
  user_stuck: { connects: true, fate: { end: 'never' } },
  user_sent: { connects: true, fate: { end: 'succeeds', waits: true } },
  user_late_return: {
    connects: true,
    fate: { end: 'succeeds', returned: { code: 'insufficient_funds', achReturnCode: 'R01' } },
  },
} as const satisfies Record<string, Connection>;

export type SandboxUser = keyof typeof sandboxUsers;
export const sandboxUserNames: readonly SandboxUser[] = Object.keys(sandboxUsers).filter(isSandboxUser);

export function isSandboxUser(name: string): name is SandboxUser {
  return Object.hasOwn(sandboxUsers, name);
}

export function connectionOf(user: SandboxUser): Connection {
  return sandboxUsers[user];
}

export function fateOf(user: SandboxUser): DebitFate | undefined {
  const connection = connectionOf(user);
  return connection.connects ? connection.fate : undefined;
}

export function sandboxAccount(user: SandboxUser): BankAccount {
  const last4 = String(
    Number.parseInt(Buffer.from(sha256(user), 'base64url').toString('hex').slice(0, 8), 16) % 10_000,
  ).padStart(4, '0');
  return { bankName: 'Sandbox Bank', accountType: 'checking', last4 };
}

interface Outcomes {
  readonly total: number;
  /** The times of outcomes that have happened, or that will happen without an advance. */
  readonly times: readonly number[];
  readonly happened: number;
}

/** Outcomes come one delay apart. Once one is advanced, the rest wait to be advanced. */
export function outcomesAt(
  fate: DebitFate,
  { submittedAt, advanced }: Pick<EnteredDebit, 'submittedAt' | 'advanced'>,
  outcomeDelay: number,
  now: number,
): Outcomes {
  const total = outcomeCount(fate);
  if (advanced) return { total, times: advanced.map(Date.parse), happened: advanced.length };
  if (waitsForAdvance(fate)) return { total, times: [], happened: 0 };
  const times = Array.from({ length: total }, (_, index) => Date.parse(submittedAt) + (index + 1) * outcomeDelay);
  return { total, times, happened: times.filter((at) => at <= now).length };
}

export function waitsForAdvance(fate: DebitFate): boolean {
  return fate.end === 'succeeds' && fate.waits === true;
}

function outcomeCount(fate: DebitFate): number {
  if (fate.end === 'fails') return 1;
  return fate.end === 'succeeds' ? (fate.returned ? 2 : 1) : 0;
}

export function debitStateOf(fate: DebitFate, { times, happened }: Outcomes): DebitState {
  const [outcomeAt, returnedAt] = times.slice(0, happened);
  if (outcomeAt === undefined || fate.end === 'never' || fate.end === 'refused') return { state: 'pending' };
  if (fate.end === 'fails') return { state: 'failed', at: toIso(outcomeAt), failure: fate.failure };
  return fate.returned && returnedAt !== undefined
    ? { state: 'returned', at: toIso(returnedAt), return: fate.returned }
    : { state: 'succeeded', at: toIso(outcomeAt) };
}

/** How many outcomes lead to this state. */
export function outcomesIn(state: DebitState): number {
  switch (state.state) {
    case 'pending':
    case 'voided':
      return 0;
    case 'failed':
    case 'succeeded':
      return 1;
    case 'returned':
      return 2;
    default:
      return unreachable(state);
  }
}

/** Every refund takes one delay, and succeeds. */
export function refundedAt({ createdAt }: SandboxRefund, outcomeDelay: number): number {
  return Date.parse(createdAt) + outcomeDelay;
}

/** Undefined if there was no refund. */
export function refundTotalsOf(
  refunds: readonly SandboxRefund[] | undefined,
  outcomeDelay: number,
  now: number,
): RefundTotals | undefined {
  if (!refunds) return undefined;
  const pending = refunds.filter((refund) => refundedAt(refund, outcomeDelay) > now);
  const pendingCents = centsIn(pending);
  return {
    amountCents: centsIn(refunds),
    status: pendingCents > 0 ? 'pending' : 'succeeded',
    ...(pendingCents > 0 && { pendingCents }),
  };
}

export function centsIn(refunds: readonly SandboxRefund[]): number {
  return refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
