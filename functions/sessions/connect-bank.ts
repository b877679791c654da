import type { TestSignIn, StartedBankConnection } from '../contract/payments/patient-payment.ts';
import { Problem } from '../contract/problem.ts';
import { currentAuthorizationTemplate } from '../domain/payments/authorization.ts';
import { unreachable } from '../domain/fault.ts';
import { payeeOf } from '../domain/practices/practice.ts';
import {
  bankConnectionAttemptsRemaining,
  maximumBankConnectionAttempts,
  type Session,
} from '../domain/sessions/session.ts';
import type { BankConnector, ConnectionStarter } from '../processors/processor.ts';
import type { ReadingTools } from '../store/database.ts';
import {
  connectBankAccount,
  countBankConnectionAttempt,
  recordBankConnection,
} from '../store/sessions/patient-writes.ts';
import { requireActive, requireLink, requirePending, type LinkHolder } from './find.ts';
import { openSession } from './open.ts';

interface ConnectBankInput extends LinkHolder {
  /** Sandbox only. */
  readonly signIn: TestSignIn | undefined;
}

/** Connects a bank and stores the account. Also counts as the first open. */
export async function connectBank(
  { database, processor }: ReadingTools & { readonly processor: BankConnector },
  { session, practice, signIn }: ConnectBankInput,
  now: number,
): Promise<Session> {
  requireActive(practice);
  const opened = await openSession({ database }, { session, practice }, now);
  requireAttempt(opened, now);

  // A refusal is counted before it is reported, so parallel guesses learn no more than five answers.
  const connection = await processor.connectBank({ session: opened, practice, signIn }, now);
  switch (connection.result) {
    case 'unavailable':
      throw bankUnavailable();
    case 'refused': {
      const counted = requireLink(await countBankConnectionAttempt(database, session, now));
      if (!counted.written) requireAttempt(counted.session, now);
      throw new Problem('bank_connection_failed', 'Try again, or connect another account.', {
        extra: { attemptsRemaining: bankConnectionAttemptsRemaining(counted.session) },
      });
    }
    case 'connected': {
      const { bankAccount, processorAccount } = connection;
      const account = {
        bankAccount,
        processorAccount,
        payee: payeeOf(practice),
        authorizationTemplate: currentAuthorizationTemplate,
      };
      const connected = requireLink(await connectBankAccount(database, session, account, now));
      if (!connected.written) requireAttempt(connected.session, now);
      return connected.session;
    }
    default:
      return unreachable(connection);
  }
}

/** Throws a Problem if the session has ended or no attempt is left. */
function requireAttempt(session: Session, now: number): void {
  requirePending(session, now);
  if (session.bankConnectionAttempts >= maximumBankConnectionAttempts) throw bankConnectionLocked();
}

function bankConnectionLocked(): Problem {
  return new Problem('bank_connection_locked', 'Too many sign-in attempts. Ask the practice for a new link.');
}

function bankUnavailable(): Problem {
  return new Problem('bank_unavailable', 'Try again in a few minutes.', { headers: { 'retry-after': '60' } });
}

/** Starts the processor's bank picker. Also counts as the first open. */
export async function startBankConnection(
  { database, processor }: ReadingTools & { readonly processor: ConnectionStarter },
  { session, practice }: LinkHolder,
  now: number,
): Promise<StartedBankConnection> {
  requireActive(practice);
  const opened = await openSession({ database }, { session, practice }, now);
  requireStart(opened, now);
  const started = await processor.startConnection({ session: opened, practice }, now);
  if (started.result === 'unavailable') throw bankUnavailable();
  const recorded = requireLink(await recordBankConnection(database, session, started.connectionId, now));
  if (!recorded.written) requireStart(recorded.session, now);
  return started.client;
}

/** Throws a Problem if the session has ended, or no sign-in or start is left. */
function requireStart(session: Session, now: number): void {
  requirePending(session, now);
  if (bankConnectionAttemptsRemaining(session) === 0) throw bankConnectionLocked();
}
