import { expect, test } from 'vitest';
import { signOut } from '../../functions/team/sign-in.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { getDashboardSession } from '../../functions/store/team/dashboard-sessions.ts';
import { aUser, openDashboardSession } from '../support/dashboard.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const find = (secret: string) => getDashboardSession(database, sha256(secret));

async function opened(user = aUser('ada')) {
  const session = await find(await openDashboardSession(database, user));
  if (!session) throw new Error('no session');
  return session;
}

test('signing out works while the issuer does not answer', async () => {
  const session = await opened();
  const issuer = { signOutUrl: async () => Promise.reject(new Error('down')) };
  expect(await signOut({ database, issuer }, { session, everywhere: false })).toEqual({ signOutUrl: undefined });
  expect(await getDashboardSession(database, session.dashboardSessionId)).toBeUndefined();
});

test('signing out everywhere ends each of many sessions of the user', async () => {
  const ada = aUser('ada');
  const secrets = await Promise.all(Array.from({ length: 30 }, () => openDashboardSession(database, ada)));
  const other = await openDashboardSession(database, aUser('bob'));
  const issuer = { signOutUrl: async () => undefined };
  await signOut({ database, issuer }, { session: await opened(ada), everywhere: true });
  expect((await Promise.all(secrets.map(find))).filter(Boolean)).toEqual([]);
  expect(await find(other)).toBeDefined();
});
