import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { Table } from '../../../functions/contract/environment.ts';
import { longestSession, signInLifetime } from '../../../functions/domain/team/sign-in.ts';
import { toIso } from '../../../functions/domain/time.ts';
import {
  deleteDashboardSession,
  getDashboardSession,
  insertDashboardSession,
  insertSignIn,
  touchDashboardSession,
} from '../../../functions/store/team/dashboard-sessions.ts';
import { limitKept, reserveMail } from '../../../functions/store/team/mail-limits.ts';
import { getMember, newMemberPart, removalPart, rolePart } from '../../../functions/store/team/members.ts';
import { transact } from '../../../functions/store/transact.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();

const now = Date.parse('2026-11-20T09:00:00.000Z');
const createdAt = toIso(now);
const user = { userId: 'usr_1', issuer: 'https://issuer.example', subject: '1' };
const sessionOf = (dashboardSessionId: string) => ({ ...user, dashboardSessionId, createdAt, lastSeenAt: createdAt });

async function deletedAt(table: Table, Key: Record<string, string>) {
  const { Item } = await database.documents.send(new GetCommand({ TableName: database.tables[table], Key }));
  return Number(Item?.['timeToLive']) * 1000;
}

it('DynamoDB deletes a session, a sign-in and an email limit once nobody needs them', async () => {
  await insertDashboardSession(database, sessionOf('kept'));
  expect(await deletedAt('dashboardSessions', { dashboardSessionId: 'kept' })).toBe(now + longestSession);

  const begun = { state: 's', nonce: 'n', codeVerifier: 'v', returnTo: '/', again: false, createdAt };
  await insertSignIn(database, { ...begun, signInId: 'kept' });
  expect(await deletedAt('signIns', { signInId: 'kept' })).toBe(now + signInLifetime);

  const limit = { practiceId: 'prc_1', about: 'session.payment.failed', period: '2026-11-20T09', most: 2 } as const;
  await reserveMail(database, limit, 'evt_1', now);
  const rateLimitId = 'mails#prc_1#session.payment.failed#2026-11-20T09';
  expect(await deletedAt('rateLimits', { rateLimitId })).toBe(now + limitKept);
});

it('a session that ended in between is not brought back, and an older request does not set back when it was seen', async () => {
  const [open, ended] = [sessionOf('open'), sessionOf('ended')];
  await insertDashboardSession(database, open);
  await touchDashboardSession(database, open, toIso(now + 2000));
  await touchDashboardSession(database, open, toIso(now + 1000));
  expect(await getDashboardSession(database, 'open')).toMatchObject({ lastSeenAt: toIso(now + 2000) });

  await insertDashboardSession(database, ended);
  await deleteDashboardSession(database, 'ended');
  await touchDashboardSession(database, ended, toIso(now + 1000));
  expect(await getDashboardSession(database, 'ended')).toBeUndefined();
});

it('a member whose role has changed since it was read is not removed', async () => {
  const asRead = { ...user, practiceId: 'prc_1', role: 'staff', mailTopics: [], createdAt } as const;
  await transact(database, { member: newMemberPart(database, asRead) });
  await transact(database, { member: rolePart(database, asRead, 'admin') });
  const refused = await transact(database, { member: removalPart(database, asRead) });
  expect(refused?.has('member')).toBe(true);
  expect(await getMember(database, asRead)).toMatchObject({ role: 'admin' });
});
