import type * as z from 'zod/mini';
import type { sessionView } from '../contract/patient-api.ts';
import type { Route } from '../contract/route.ts';
import type { Mode } from '../domain/mode.ts';
import { equalInConstantTime, sessionIdOfToken, sha256 } from '../domain/identifier.ts';
import type { InvoiceBlock } from '../domain/invoice-claim.ts';
import { preferredLocale } from '../domain/locale.ts';
import type { Practice } from '../domain/practice.ts';
import { patientView } from '../domain/session-view.ts';
import { hasExpired, type Session } from '../domain/session.ts';
import type { Database } from '../store/database.ts';
import { getClaimingSessionId } from '../store/invoice-claims.ts';
import { requirePractice } from '../store/practices.ts';
import { getSession } from '../store/sessions.ts';
import { endpoint, type Call } from './route-handler.ts';
import { bearerToken, type HttpRequest } from './request.ts';
import { Problem } from '../contract/problems.ts';

export type PatientDatabase = Database<'sessions' | 'practices' | 'invoiceClaims'>;

async function sessionOfLink(database: PatientDatabase, request: HttpRequest): Promise<Session> {
  const token = bearerToken(request);
  const sessionId = token && sessionIdOfToken(token);
  const found = sessionId ? await getSession(database, sessionId) : undefined;
  if (!token || !found || !equalInConstantTime(found.tokenHash, sha256(token))) {
    throw new Problem('link_not_found', 'Check that the link was opened whole, or ask the practice for a new one.');
  }
  return found;
}

/** Whether another session pays, or has paid, this session's invoice. */
export async function findInvoiceBlock(
  database: PatientDatabase,
  current: Session,
  practice: Practice,
): Promise<InvoiceBlock | undefined> {
  if (current.status !== 'pending' || !practice.invoiceGuard) return undefined;
  const claimant = await getClaimingSessionId(database, current);
  if (claimant === undefined || claimant === current.sessionId) return undefined;
  const paying = await getSession(database, claimant);
  return paying?.status === 'succeeded' ? 'invoice_already_paid' : 'payment_in_progress';
}

/** Refuses to go on with a session that is over, in words for the page. */
export function requirePending(current: Session, now: number): void {
  if (hasExpired(current, now)) throw new Problem('session_expired', 'Ask the practice for a new link.');
  if (current.status !== 'pending') {
    throw new Problem('session_closed', 'Load the session again to see what became of it.', {
      extra: { sessionStatus: current.status },
    });
  }
}

/**
 * An endpoint of the patient API: the caller is whoever holds the session's link. `act` does the endpoint's work and
 * gives the session as it then is; the answer is always the view of it.
 */
export function patientRoute<Body extends z.ZodMiniType>(
  database: PatientDatabase,
  mode: Mode,
  route: Route<Body, typeof sessionView>,
  act: (caller: { session: Session; practice: Practice }, call: Call<z.output<Body>>) => Promise<Session>,
) {
  return endpoint(
    route,
    async (request, _, facts) => {
      const session = await sessionOfLink(database, request);
      facts.sessionId = session.sessionId;
      return { session, practice: await requirePractice(database, session.practiceId) };
    },
    async (caller, call) => {
      const current = await act(caller, call);
      const blockedBy = await findInvoiceBlock(database, current, caller.practice);
      const locale = preferredLocale(call.request.headers['accept-language']);
      return { body: patientView(current, caller.practice, { mode, locale, now: call.now, blockedBy }) };
    },
  );
}
