import { Problem } from '../contract/problem.ts';
import { offeredIn } from '../domain/payments/authorization.ts';
import { fateOf, waitsForAdvance, type SandboxUser } from '../domain/payments/sandbox-bank.ts';
import { transitionTime, withExpiry, type Session } from '../domain/sessions/session.ts';
import { advanceOutcome, advancePayment, type AdvanceTools } from '../payments/submit.ts';
import type { BankConnector } from '../processors/processor.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { expireAt, getExistingSession } from '../store/sessions/sessions.ts';
import { authorizePayment, type RequestSource } from './authorize.ts';
import { findInvoiceBlocker } from './blocks.ts';
import { connectBank } from './connect-bank.ts';
import { expireSession } from './cancel.ts';
import { askToResumePayments, findOwnSession, type LinkHolder } from './find.ts';

interface SimulateTools extends AdvanceTools {
  readonly connector: BankConnector;
}

interface SimulateInput {
  readonly practiceId: string;
  readonly sessionId: string;
  readonly as: SandboxUser | 'expire';
  readonly source: RequestSource;
}

/** Does what a patient would, then makes the bank's first outcome happen. Throws a Problem if the session is not pending. */
export async function simulateSession(tools: SimulateTools, input: SimulateInput, now: number): Promise<Session> {
  const { as, source } = input;
  // Repeats only if in the meantime the link was replaced, another bank was connected or the session ended.
  for (;;) {
    const session = await findOwnSession(tools, input);
    const { status } = withExpiry(session, now);
    if (status !== 'pending') throw sessionNotPending(status);
    const practice = await getExistingPractice(tools.database, input.practiceId);
    const ended =
      as === 'expire'
        ? await expireNow(tools, session, now)
        : await pay(tools, { session, practice }, { as, source }, now);
    if (ended) return ended;
  }
}

async function expireNow({ database }: SimulateTools, current: Session, now: number) {
  const { sessionId } = current;
  const at = transitionTime(current, now);
  await expireAt(database, sessionId, at);
  await expireSession({ database }, { sessionId }, at);
  const session = await getExistingSession(database, sessionId);
  return session.cancellation?.reason === 'expired' ? session : undefined;
}

async function pay(
  tools: SimulateTools,
  holder: LinkHolder,
  { as: username, source }: { readonly as: SandboxUser; readonly source: RequestSource },
  now: number,
): Promise<Session | undefined> {
  const { database, connector } = tools;
  try {
    const blocker = await findInvoiceBlocker(tools, holder.session, holder.practice);
    if (blocker) throw new Problem(blocker.blockedBy, useAnotherInvoice);
    const signIn = { username, password: holder.practice.testBankPassword };
    const connected = await connectBank({ database, processor: connector }, { ...holder, signIn }, now);
    const authorizationId = offeredIn(connected, 'en', now)?.id ?? '';
    const accepted = { session: connected, practice: holder.practice, authorizationId, source };
    const authorized = await authorizePayment({ database }, accepted, now);
    const fate = fateOf(username);
    if (fate && waitsForAdvance(fate)) await advancePayment(tools, authorized, now);
    else await advanceOutcome(tools, authorized, now);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (changedMeanwhile.includes(error.code)) return undefined;
    if (!expectedOutcomes.includes(error.code))
      throw new Problem(error.code, detailsForPractice[error.code] ?? error.message);
  }
  return getExistingSession(database, holder.session.sessionId);
}

const changedMeanwhile: readonly string[] = [
  'link_not_found',
  'authorization_changed',
  'session_closed',
  'session_expired',
] satisfies Problem['code'][];

/** These are not errors here: some test users exist to fail the sign-in. */
const expectedOutcomes: readonly string[] = ['bank_connection_failed', 'bank_unavailable'] satisfies Problem['code'][];

const useAnotherInvoice = 'Another session has paid, or is paying, this invoice. Use another invoice.';

/** Replaces details that tell a patient to ask the practice. */
const detailsForPractice: Partial<Record<Problem['code'], string>> = {
  invoice_already_paid: useAnotherInvoice,
  payment_in_progress: useAnotherInvoice,
  bank_connection_locked: 'The bank sign-ins of the link are used up. Create another session.',
  practice_suspended: askToResumePayments,
};

function sessionNotPending(sessionStatus: Session['status']): Problem {
  return new Problem('session_not_pending', 'Create another session to simulate.', { extra: { sessionStatus } });
}

/** Performs the sandbox bank's next outcome now. Throws a Problem if there is none left. */
export async function advanceSession(tools: AdvanceTools, session: Session, now: number): Promise<Session> {
  if (!(await advanceOutcome(tools, session, now)))
    throw new Problem('no_outcome_pending', "Get the session's status: its bank has nothing more to report.");
  return getExistingSession(tools.database, session.sessionId);
}
