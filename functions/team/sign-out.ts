import type { SignedOut } from '../contract/team/dashboard-sign-in.ts';
import type { DashboardSession } from '../domain/team/dashboard-session.ts';
import { logFault } from '../log.ts';
import { deleteDashboardSession, deleteDashboardSessionsOf } from '../store/team/dashboard-sessions.ts';
import type { Database } from '../store/database.ts';
import type { Issuer } from './issuer.ts';

interface Tools {
  readonly database: Database<'dashboardSessions'>;
  readonly issuer: Pick<Issuer, 'signOutUrl'>;
}

/** Ends this session, or all of the user's sessions. */
export async function signOut(
  { database, issuer }: Tools,
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
