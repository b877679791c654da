import * as z from 'zod/mini';
import type { BankAccount, DebitReturn, DebitState, Failure } from './debit.ts';
import { sha256 } from './identifier.ts';
import { isoTime, toIso } from './time.ts';

export const sandboxDebit = z.object({
  sessionId: z.string(),
  debit: z.optional(z.object({ username: z.string(), amountCents: z.int(), submittedAt: isoTime })),
  voidedAt: z.optional(isoTime),
  reportedAt: z.optional(isoTime),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type SandboxDebit = z.infer<typeof sandboxDebit>;

export type DebitFate =
  | { readonly end: 'succeeds'; readonly returned?: Omit<DebitReturn, 'returnedAt'> }
  | { readonly end: 'fails'; readonly failure: Failure }
  | { readonly end: 'refused'; readonly failure: Failure }
  | { readonly end: 'never'; readonly voidable: boolean };

type Connection =
  { readonly connects: true; readonly fate: DebitFate } | { readonly connects: false; readonly unavailable: boolean };

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
  user_stuck: { connects: true, fate: { end: 'never', voidable: true } },
  user_sent: { connects: true, fate: { end: 'never', voidable: false } },
  user_late_return: {
    connects: true,
    fate: { end: 'succeeds', returned: { code: 'insufficient_funds', achReturnCode: 'R01' } },
  },
} as const satisfies Record<string, Connection>;

export type SandboxUser = keyof typeof sandboxUsers;
export const sandboxUserNames = Object.keys(sandboxUsers);

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

export function debitStateAt(fate: DebitFate, submittedAt: number, outcomeDelay: number, now: number): DebitState {
  const outcomeAt = submittedAt + outcomeDelay;
  if (now < outcomeAt || fate.end === 'never' || fate.end === 'refused') return { state: 'pending' };
  if (fate.end === 'fails') return { state: 'failed', at: toIso(outcomeAt), failure: fate.failure };
  const returnedAt = outcomeAt + outcomeDelay;
  return fate.returned && now >= returnedAt
    ? { state: 'returned', at: toIso(returnedAt), return: fate.returned }
    : { state: 'succeeded', at: toIso(outcomeAt) };
}

export function nextOutcomeAt(
  fate: DebitFate,
  submittedAt: number,
  outcomeDelay: number,
  now: number,
): number | undefined {
  const delays = fate.end === 'fails' ? [1] : fate.end === 'succeeds' ? (fate.returned ? [1, 2] : [1]) : [];
  return delays.map((count) => submittedAt + count * outcomeDelay).find((at) => at > now);
}
