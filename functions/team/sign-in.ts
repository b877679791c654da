import type { SignedOut, SignInProblem } from '../contract/team/dashboard-sign-in.ts';
import { newSecret, sha256 } from '../domain/identifier.ts';
import { returnPath, type DashboardSession, isOpen, clockSkew, signInLifetime } from '../domain/team/sign-in.ts';
import { toIso } from '../domain/time.ts';
import { userIdOf } from '../domain/team/member.ts';
import { logFault } from '../log.ts';
import type { ReadingTools, WritingTools } from '../store/database.ts';
import {
  deleteDashboardSession,
  deleteDashboardSessionsOf,
  getDashboardSession,
  insertDashboardSession,
  insertSignIn,
  deleteSignIn,
} from '../store/team/dashboard-sessions.ts';
import type { Issuer } from './issuer.ts';

interface BeginTools extends WritingTools {
  readonly issuer: Pick<Issuer, 'authorizationUrl'>;
}

interface BeginInput {
  readonly returnTo: string | null;
  /** Ask for credentials even if the user is signed in. */
  readonly again: boolean;
}

/** Returns the URL to redirect the browser to, and the state and secret for its cookie. */
export async function beginSignIn(
  { database, issuer, randomBytes }: BeginTools,
  { returnTo, again }: BeginInput,
  now: number,
): Promise<{ authorizationUrl: string; state: string; secret: string }> {
  const secret = newSecret(randomBytes);
  const secrets = {
    state: newSecret(randomBytes),
    nonce: newSecret(randomBytes),
    codeVerifier: newSecret(randomBytes),
  };
  const authorizationUrl = await issuer.authorizationUrl(secrets, again);
  await insertSignIn(database, {
    ...secrets,
    signInId: sha256(secret),
    returnTo: returnPath(returnTo),
    again,
    createdAt: toIso(now),
  });
  return { authorizationUrl, state: secrets.state, secret };
}

interface FinishTools extends WritingTools {
  readonly issuer: Pick<Issuer, 'identify'>;
}

interface FinishInput {
  /** The query that the issuer added when it sent the browser back. */
  readonly query: string;
  /** Comes from the browser's cookies. */
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
  { database, issuer, randomBytes }: FinishTools,
  { query, signInSecret, sessionSecret }: FinishInput,
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
  // Such an issuer was asked to repeat the sign-in, so the user signed in after this request began. See decision 0107.
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

interface SignOutTools extends ReadingTools {
  readonly issuer: Pick<Issuer, 'signOutUrl'>;
}

/** Ends this session, or all of the user's sessions. */
export async function signOut(
  { database, issuer }: SignOutTools,
  { session, everywhere }: { readonly session: DashboardSession; readonly everywhere: boolean },
): Promise<SignedOut> {
  if (everywhere) await deleteDashboardSessionsOf(database, session.userId);
  await deleteDashboardSession(database, session.dashboardSessionId);
  const signOutUrl = await issuer.signOutUrl().catch((error: unknown) => {
    logFault('the issuer does not answer', error);
    return undefined;
  });
  return { signOutUrl };
}
