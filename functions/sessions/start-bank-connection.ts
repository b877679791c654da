import { bankConnectionAttemptsRemaining, type Session } from '../domain/sessions/session.ts';
import type { BankPicker, ConnectionStarter } from '../processors/processor.ts';
import type { Database } from '../store/database.ts';
import { recordBankConnection } from '../store/sessions/patient-writes.ts';
import { requireActive, requireLink, requirePending, type LinkHolder } from './find.ts';
import { openSession } from './open.ts';
import { bankConnectionLocked, bankUnavailable } from './connect-bank.ts';

interface StartBankConnectionTools {
  readonly database: Database<'sessions'>;
  readonly processor: ConnectionStarter;
}

/** Starts the processor's bank picker. Also counts as the first open. */
export async function startBankConnection(
  { database, processor }: StartBankConnectionTools,
  { session, practice }: LinkHolder,
  now: number,
): Promise<BankPicker> {
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
