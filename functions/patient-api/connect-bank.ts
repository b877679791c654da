import { patientRoutes } from '../contract/patient-routes.ts';
import { renderAuthorizations } from '../domain/authorization.ts';
import { payeeOf } from '../domain/practice.ts';
import { maximumBankConnectionAttempts } from '../domain/session.ts';
import { mode, tableNames } from '../environment.ts';
import { patientRoute, requirePending } from '../http/patient-route.ts';
import { connectSandboxBank } from '../processors/sandbox.ts';
import { connectNoBank } from '../processors/unavailable.ts';
import { connect } from '../store/database.ts';
import {
  connectBankAccount,
  openSession,
  returnBankConnectionAttempt,
  takeBankConnectionAttempt,
} from '../store/sessions.ts';
import { Problem } from '../contract/problems.ts';

const database = connect(tableNames('sessions', 'practices', 'invoiceClaims'));
const stageMode = mode();
const connectBank = stageMode === 'sandbox' ? connectSandboxBank : connectNoBank;

/** Signs the patient in to a bank and stores the account, with the authorization texts made for it. Implies the first open. */
export const handler = patientRoute(
  database,
  stageMode,
  patientRoutes.connectBank,
  async ({ session, practice }, { body, now }) => {
    const { sessionId } = session;
    if (session.openedAt === undefined) await openSession(database, session, practice.sessionLifetimeSeconds, now);
    const attempt = await takeBankConnectionAttempt(database, sessionId, now);
    requirePending(attempt.session, now);
    if (!attempt.written)
      throw new Problem('bank_connection_locked', 'There were too many sign-ins. Ask the practice for a new link.');

    const connection = await connectBank({ ...body, practice });
    if (connection.result === 'unavailable') {
      await returnBankConnectionAttempt(database, sessionId);
      throw new Problem('bank_unavailable', 'Try again in a few minutes.', { headers: { 'retry-after': '60' } });
    }
    if (connection.result === 'refused') {
      const attemptsRemaining = maximumBankConnectionAttempts - attempt.session.bankConnectionAttempts;
      throw new Problem('bank_connection_failed', 'Check the user name and the password.', {
        extra: { attemptsRemaining },
      });
    }
    const { bankAccount, processorAccount } = connection;
    const payee = payeeOf(practice);
    const offeredAuthorizations = renderAuthorizations(attempt.session, payee, bankAccount, now);
    const connected = await connectBankAccount(
      database,
      sessionId,
      { bankAccount, processorAccount, payee, offeredAuthorizations },
      now,
    );
    if (!connected.written) requirePending(connected.session, now);
    return connected.session;
  },
);
