import type { SignInProblem } from '../contract/team/dashboard-sign-in.ts';
import type { DashboardSession } from '../domain/team/dashboard-session.ts';
import { newSecret, sha256, type RandomBytes } from '../domain/identifier.ts';
import { userIdOf } from '../domain/team/member.ts';
import { clockSkew, signInLifetime } from '../domain/team/sign-in.ts';
import { toIso } from '../domain/time.ts';
import { deleteDashboardSession, insertDashboardSession } from '../store/team/dashboard-sessions.ts';
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
  /** `over`: the sign-in that this browser started can no longer be finished. */
  | { readonly kind: 'not_signed_in'; readonly problem: SignInProblem; readonly over: boolean };

/** Opens a session with a new ID and ends the browser's earlier one. */
export async function finishSignIn(
  { database, issuer, randomBytes }: Tools,
  { query, signInSecret, sessionSecret }: Input,
  now: number,
): Promise<Finished> {
  const state = new URLSearchParams(query).get('state');
  if (!signInSecret || !state) return notSignedIn('sign_in_expired', false);
  const begun = await deleteSignIn(database, { signInId: sha256(signInSecret), state });
  if (!begun) return notSignedIn('sign_in_expired', false);
  if (now >= Date.parse(begun.createdAt) + signInLifetime) return notSignedIn('sign_in_expired');

  const identity = await issuer.identify(query, begun);
  if (identity === 'refused') return notSignedIn('sign_in_refused');
  if (identity === 'failed') return notSignedIn('sign_in_failed');
  const { authenticatedAt, ...user } = identity;
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
