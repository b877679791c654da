import type { SignInProblem } from '../contract/team/dashboard-sign-in.ts';
import { newSecret, sha256, type RandomBytes } from '../domain/identifier.ts';
import { isOpen, type DashboardSession } from '../domain/team/dashboard-session.ts';
import { userIdOf } from '../domain/team/member.ts';
import { clockSkew, signInLifetime } from '../domain/team/sign-in.ts';
import { toIso } from '../domain/time.ts';
import {
  deleteDashboardSession,
  getDashboardSession,
  insertDashboardSession,
} from '../store/team/dashboard-sessions.ts';
import type { Database } from '../store/database.ts';
import { deleteSignIn } from '../store/team/sign-ins.ts';
import type { Issuer } from './issuer.ts';

interface Tools {
  readonly database: Database<'signIns' | 'dashboardSessions'>;
  readonly issuer: Pick<Issuer, 'identify'>;
  readonly randomBytes: RandomBytes;
}

interface Input {
  /** The query that the issuer added when it sent the browser back. */
  readonly query: string;
  /** From the browser's cookies. */
  readonly signInSecret: string | undefined;
  readonly sessionSecret: string | undefined;
}

type Finished =
  | { readonly kind: 'signed_in'; readonly returnTo: string; readonly secret: string }
  /** The sign-in is unknown, as when a used callback is loaded again, and this browser has a session. */
  | { readonly kind: 'already_signed_in' }
  /** `over`: the sign-in that this browser started can no longer be finished. */
  | { readonly kind: 'not_signed_in'; readonly problem: SignInProblem; readonly over: boolean };

/** Opens a session with a new ID and ends the browser's earlier one. */
export async function finishSignIn(
  { database, issuer, randomBytes }: Tools,
  { query, signInSecret, sessionSecret }: Input,
  now: number,
): Promise<Finished> {
  const state = new URLSearchParams(query).get('state');
  const begun = signInSecret && state && (await deleteSignIn(database, { signInId: sha256(signInSecret), state }));
  if (!begun) {
    const current = sessionSecret && (await getDashboardSession(database, sha256(sessionSecret)));
    return current && isOpen(current, now) ? { kind: 'already_signed_in' } : notSignedIn('sign_in_expired', false);
  }
  if (now >= Date.parse(begun.createdAt) + signInLifetime) return notSignedIn('sign_in_expired');

  const identity = await issuer.identify(query, begun);
  if (identity === 'refused') return notSignedIn('sign_in_refused');
  if (identity === 'failed') return notSignedIn('sign_in_failed');
  const { authenticatedAt: told, cannotTellWhen, ...user } = identity;
  // Such an issuer was asked to repeat the sign-in: it answered this request, so not before it. See decision 0107.
  const authenticatedAt = told ?? (begun.again && cannotTellWhen ? Date.parse(begun.createdAt) : undefined);
  if (begun.again && !(authenticatedAt !== undefined && authenticatedAt >= Date.parse(begun.createdAt) - clockSkew))
    return notSignedIn('sign_in_not_repeated');

  const secret = newSecret(randomBytes);
  const opened: DashboardSession = {
    ...user,
    dashboardSessionId: sha256(secret),
    userId: userIdOf(user),
    createdAt: toIso(now),
    lastSeenAt: toIso(now),
    // The issuer's clock may be ahead of ours.
    ...(authenticatedAt !== undefined && { authenticatedAt: toIso(Math.min(authenticatedAt, now)) }),
  };
  await insertDashboardSession(database, opened);
  if (sessionSecret) await deleteDashboardSession(database, sha256(sessionSecret));
  return { kind: 'signed_in', returnTo: begun.returnTo, secret };
}

function notSignedIn(problem: SignInProblem, over = true): Finished {
  return { kind: 'not_signed_in', problem, over };
}
