import { newSecret, sha256, type RandomBytes } from '../domain/identifier.ts';
import { returnPath } from '../domain/team/sign-in.ts';
import { toIso } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { insertSignIn } from '../store/team/sign-ins.ts';
import type { Issuer } from './issuer.ts';
import type { SignedOut } from '../contract/team/dashboard-sign-in.ts';
import type { DashboardSession } from '../domain/team/dashboard-session.ts';
import { logFault } from '../log.ts';
import { deleteDashboardSession, deleteDashboardSessionsOf } from '../store/team/dashboard-sessions.ts';

interface Tools {
  readonly database: Database<'signIns'>;
  readonly issuer: Pick<Issuer, 'authorizationUrl'>;
  readonly randomBytes: RandomBytes;
}

interface Input {
  readonly returnTo: string | null;
  /** Ask for credentials even if the user is signed in. */
  readonly again: boolean;
}

/** Returns the URL to redirect the browser to, and the state and secret for its cookie. */
export async function beginSignIn(
  { database, issuer, randomBytes }: Tools,
  { returnTo, again }: Input,
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

interface SignOutTools {
  readonly database: Database<'dashboardSessions'>;
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
