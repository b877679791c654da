import type { TestSignIn } from '../contract/patient-api/connect-bank.ts';
import { Problem } from '../contract/problems.ts';
import { currentAuthorizationTemplate } from '../domain/authorization-templates.ts';
import { unreachable } from '../domain/fault.ts';
import { payeeOf } from '../domain/practice.ts';
import { maximumBankConnectionAttempts, type Session } from '../domain/session.ts';
import type { BankConnector } from '../processors/processor.ts';
import type { Database } from '../store/database.ts';
import { connectBankAccount, returnBankConnectionAttempt, takeBankConnectionAttempt } from '../store/patient-writes.ts';
import { requireLink, type LinkHolder } from './find.ts';
import { openSession } from './open.ts';
import { requireActive } from './require-active.ts';
import { requirePending } from './require-pending.ts';

interface ConnectBankTools {
  readonly database: Database<'sessions'>;
  readonly processor: BankConnector;
}

interface ConnectBankInput extends LinkHolder {
  /** In the sandbox only. */
  readonly signIn: TestSignIn | undefined;
}

/** Connects a bank and stores the account. Also counts as the first open. */
export async function connectBank(
  { database, processor }: ConnectBankTools,
  { session, practice, signIn }: ConnectBankInput,
  now: number,
): Promise<Session> {
  requireActive(practice);
  await openSession({ database }, { session, practice }, now);
  // Counted before the sign-in: parallel guesses cannot exceed the limit.
  const attempt = requireLink(await takeBankConnectionAttempt(database, session, now));
  requirePending(attempt.session, now);
  if (!attempt.written) throw bankConnectionLocked();

  const connection = await processor.connectBank({ session: attempt.session, practice, signIn }, now);
  switch (connection.result) {
    case 'unavailable':
      requireLink(await returnBankConnectionAttempt(database, session));
      throw bankUnavailable();
    case 'refused':
      throw new Problem('bank_connection_failed', 'Try again, or connect another account.', {
        extra: { attemptsRemaining: maximumBankConnectionAttempts - attempt.session.bankConnectionAttempts },
      });
    case 'connected': {
      const { bankAccount, processorAccount } = connection;
      const account = {
        bankAccount,
        processorAccount,
        payee: payeeOf(practice),
        authorizationTemplate: currentAuthorizationTemplate,
      };
      const connected = requireLink(await connectBankAccount(database, session, account, now));
      if (!connected.written) requirePending(connected.session, now);
      return connected.session;
    }
    default:
      return unreachable(connection);
  }
}

export function bankConnectionLocked(): Problem {
  return new Problem('bank_connection_locked', 'Too many sign-in attempts. Ask the practice for a new link.');
}

export function bankUnavailable(): Problem {
  return new Problem('bank_unavailable', 'Try again in a few minutes.', { headers: { 'retry-after': '60' } });
}
