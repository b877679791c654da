import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  memberProblems,
  practiceParams,
  signedInProblems,
  type MemberAccess,
} from '../../functions/contract/dashboard-route.ts';
import { livePayoutRoutes } from '../../functions/contract/payments/dashboard-payouts.ts';
import { teamRoutes } from '../../functions/contract/team/dashboard-team.ts';
import { takesNothing } from '../../functions/contract/route.ts';
import { newAuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import type { Role } from '../../functions/domain/team/member.ts';
import { hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { areaHandler, type AreaRoute } from '../../functions/http/area-handler.ts';
import { memberRoute, signedInRoute } from '../../functions/http/dashboard-route.ts';
import { deleteDashboardSession, getDashboardSession } from '../../functions/store/team/dashboard-sessions.ts';
import { removalPart } from '../../functions/store/team/members.ts';
import { transact } from '../../functions/store/transact.ts';
import { addMember, aUser, openDashboardSession } from '../support/dashboard.ts';
import { aPractice } from '../support/examples.ts';
import { lambdaContext, stageVariablesOfTests, throughDistribution } from '../support/http-request.ts';
import { putAll } from '../support/put-all.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const https = 'https://dashboard.example';
const practiceId = 'prc_lakeside';

interface Sent {
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly practiceId?: string;
  readonly query?: string;
}

async function send(route: AreaRoute, { cookie, headers = {}, practiceId: asked = practiceId, query = '' }: Sent = {}) {
  const event = {
    headers: { ...throughDistribution(), ...headers },
    ...(cookie !== undefined && { cookies: ['other=1', cookie] }),
    pathParameters: { practiceId: asked },
    rawPath: '/',
    rawQueryString: query,
    isBase64Encoded: false,
    stageVariables: stageVariablesOfTests,
    requestContext: {
      requestId: 'r',
      routeKey: route.routeKey,
      http: { method: 'GET', sourceIp: '192.0.2.7', userAgent: 'test' },
    },
  };
  const { statusCode, body, headers: answered } = await areaHandler(route)(event as never, lambdaContext());
  return { statusCode, headers: answered, ...(JSON.parse(body) as { code?: string; caller?: unknown }) };
}

const answer = { status: 200, response: z.object({ caller: z.unknown() }), summary: '', description: '' } as const;

function whoAmI(method: 'GET' | 'POST' = 'GET', dashboardUrl = https) {
  return signedInRoute(
    { database, dashboardUrl },
    { ...takesNothing, ...answer, method, path: '/me', access: 'signed_in', problems: signedInProblems },
    async (caller) => ({ caller }),
  );
}

function ofMember(access: MemberAccess = { role: 'viewer' }, mode?: Mode) {
  return memberRoute(
    { database, dashboardUrl: https, ...(mode && { mode }) },
    { ...takesNothing, ...answer, method: 'GET', path: '/x', access, params: practiceParams, problems: memberProblems },
    async (caller) => ({ caller }),
  );
}

const cookieOf = (secret: string) => `__Host-dashboard=${secret}`;

async function aSession(...[differences]: [Parameters<typeof openDashboardSession>[2]?]): Promise<string> {
  return openDashboardSession(database, aUser('ada'), differences);
}

async function memberCookie(role: Role, authenticatedAt?: string): Promise<string> {
  const member = await addMember(database, practiceId, role);
  return cookieOf(
    await openDashboardSession(database, member, authenticatedAt === undefined ? {} : { authenticatedAt }),
  );
}

const ago = (duration: number) => toIso(Date.now() - duration);

describe('a query', () => {
  const unreached = async () => Promise.reject(new Error('a request that is not valid was handled'));
  const auditLog = memberRoute({ database, dashboardUrl: https }, teamRoutes.listAuditLog, unreached);
  const statement = memberRoute({ database, dashboardUrl: https }, livePayoutRoutes.getStatement, unreached);

  test.each([
    ['an empty cursor', auditLog, 'cursor=', 'cursor'],
    ['a cursor of another list', auditLog, `cursor=evt_${'0'.repeat(26)}`, 'cursor'],
    ['a month that does not exist', statement, 'month=2026-13', 'month'],
    ['an unknown parameter', statement, 'year=2026', ''],
  ])('with %s is not valid', async (_, handler, query, pointer) => {
    const cookie = await memberCookie('viewer');
    expect(await send(handler, { cookie, query })).toMatchObject({
      statusCode: 400,
      code: 'invalid_request',
      errors: [{ pointer }],
    });
  });

  test('with the ID of an entry of the audit log is valid', () => {
    const author = { kind: 'operator' } as const;
    const { entryId } = newAuditEntry({ randomBytes }, { practiceId, author, action: 'practice.updated' }, Date.now());
    expect(teamRoutes.listAuditLog.query.safeParse({ cursor: entryId })).toMatchObject({ success: true });
  });
});

describe('a session', () => {
  test('is named by a cookie of the dashboard', async () => {
    const secret = await aSession();
    expect(await send(whoAmI(), { cookie: cookieOf(secret) })).toMatchObject({ statusCode: 200 });
    expect(await send(whoAmI('GET', 'http://127.0.0.1:4002'), { cookie: `dashboard=${secret}` })).toMatchObject({
      statusCode: 200,
    });
    for (const cookie of [
      undefined,
      `dashboard=${secret}`,
      cookieOf(''),
      cookieOf('unknown'),
      cookieOf(sha256(secret)),
    ])
      expect(await send(whoAmI(), { cookie })).toMatchObject({ statusCode: 401, code: 'not_signed_in' });
  });

  test.each([
    ['30 minutes without a request', () => ({ lastSeenAt: ago(30 * minute) }), 401],
    ['less', () => ({ lastSeenAt: ago(30 * minute - 5 * second) }), 200],
    ['12 hours', () => ({ createdAt: ago(12 * hour), lastSeenAt: ago(0) }), 401],
    ['less than 12 hours', () => ({ createdAt: ago(12 * hour - 5 * second), lastSeenAt: ago(0) }), 200],
  ])('after %s', async (_, differences, statusCode) => {
    expect(await send(whoAmI(), { cookie: cookieOf(await aSession(differences())) })).toMatchObject({ statusCode });
  });

  test('is extended at most once a minute, and not by background requests', async () => {
    const lastSeenAt = ago(2 * minute);
    const secret = await aSession({ lastSeenAt });
    const seen = async () => (await getDashboardSession(database, sha256(secret)))?.lastSeenAt;
    await send(whoAmI(), { cookie: cookieOf(secret), headers: { 'x-background': '1' } });
    expect(await seen()).toBe(lastSeenAt);
    await send(whoAmI(), { cookie: cookieOf(secret) });
    const prolonged = await seen();
    expect(prolonged).not.toBe(lastSeenAt);
    await send(whoAmI(), { cookie: cookieOf(secret) });
    expect(await seen()).toBe(prolonged);
  });

  test('that has ended is refused at once', async () => {
    const secret = await aSession();
    await deleteDashboardSession(database, sha256(secret));
    expect(await send(whoAmI(), { cookie: cookieOf(secret) })).toMatchObject({ code: 'not_signed_in' });
  });

  test('is never cached', async () => {
    expect((await send(whoAmI(), { cookie: cookieOf(await aSession()) })).headers).toMatchObject({
      'cache-control': 'no-store',
    });
  });
});

test.each([
  ['none', undefined],
  ['another', 'guessed'],
  ['an empty one', ''],
  ['both in one', stageVariablesOfTests.originSecrets],
])('a request without the secret of the distribution, but %s, is not answered', async (_, secret) => {
  const cookie = cookieOf(await aSession());
  const headers = { 'x-origin-secret': secret };
  expect(await send(whoAmI(), { cookie, headers })).toMatchObject({ statusCode: 403, code: 'wrong_host' });
  expect(await send(ofMember(), { cookie, headers })).toMatchObject({ statusCode: 403, code: 'wrong_host' });
});

test('the next secret of the distribution is accepted in advance', async () => {
  const [, next] = stageVariablesOfTests.originSecrets.split(',');
  const sent = { cookie: cookieOf(await aSession()), headers: throughDistribution(next) };
  expect(await send(whoAmI(), sent)).toMatchObject({ statusCode: 200 });
});

describe('a change', () => {
  const own = { 'x-dashboard': '1', 'sec-fetch-site': 'same-origin' };
  test.each([
    ['from the dashboard', own, 200],
    ['from a browser that sends only the origin', { 'x-dashboard': '1', origin: https }, 200],
    ['without the header', { 'sec-fetch-site': 'same-origin', origin: https }, 403],
    ['with another value of the header', { ...own, 'x-dashboard': 'yes' }, 403],
    ['from another site', { ...own, 'sec-fetch-site': 'cross-site' }, 403],
    ['from a neighbor', { ...own, 'sec-fetch-site': 'same-site' }, 403],
    ['from the address bar', { ...own, 'sec-fetch-site': 'none' }, 403],
    ['from another site that sends our origin', { ...own, 'sec-fetch-site': 'cross-site', origin: https }, 403],
    ['from another origin', { 'x-dashboard': '1', origin: 'https://evil.example' }, 403],
    ['from our host without TLS', { 'x-dashboard': '1', origin: 'http://dashboard.example' }, 403],
    ['from an origin that starts like ours', { 'x-dashboard': '1', origin: `${https}.evil.example` }, 403],
    ['from an opaque origin', { 'x-dashboard': '1', origin: 'null' }, 403],
    ['from nowhere', { 'x-dashboard': '1' }, 403],
  ])('%s', async (_, headers, statusCode) => {
    const cookie = cookieOf(await aSession());
    const answered = await send(whoAmI('POST'), { cookie, headers });
    expect(answered.statusCode).toBe(statusCode);
    expect(answered.code).toBe(statusCode === 403 ? 'cross_site_request' : undefined);
  });

  test('a read needs none of this', async () => {
    const headers = { 'sec-fetch-site': 'none' };
    expect(await send(whoAmI(), { cookie: cookieOf(await aSession()), headers })).toMatchObject({ statusCode: 200 });
  });
});

describe('a route of a practice', () => {
  test('knows the caller, their role and their address', async () => {
    const member = await addMember(database, practiceId, 'staff');
    const cookie = cookieOf(await openDashboardSession(database, member));
    const { userId, email } = member;
    const direct = { practiceId, userId, role: 'staff', author: { kind: 'user', userId, email, address: '192.0.2.7' } };
    expect((await send(ofMember(), { cookie })).caller).toEqual(direct);
    const viewed = await send(ofMember(), { cookie, headers: { 'x-viewer-address': '2001:db8::1' } });
    expect(viewed.caller).toMatchObject({ author: { address: '2001:db8::1', sourceAddress: '192.0.2.7' } });
    const same = await send(ofMember(), { cookie, headers: { 'x-viewer-address': '192.0.2.7' } });
    expect(same.caller).toEqual(direct);
    const forged = await send(ofMember(), { cookie, headers: { 'x-viewer-address': 'https://evil.example' } });
    expect(forged.caller).toEqual(direct);
  });

  test('does not exist for members of another', async () => {
    const cookie = await memberCookie('admin');
    for (const foreign of ['prc_other', '', practiceId.toUpperCase(), 'x'.repeat(3000)])
      expect(await send(ofMember(), { cookie, practiceId: foreign })).toMatchObject({
        statusCode: 404,
        code: 'practice_not_found',
      });
  });

  test('is closed to a member who was removed', async () => {
    const member = await addMember(database, practiceId, 'admin');
    const cookie = cookieOf(await openDashboardSession(database, member));
    expect(await send(ofMember(), { cookie })).toMatchObject({ statusCode: 200 });
    await transact(database, { member: removalPart(database, member) });
    expect(await send(ofMember(), { cookie })).toMatchObject({ code: 'practice_not_found' });
  });

  test.each<[Role, Role, number]>([
    ['viewer', 'viewer', 200],
    ['viewer', 'staff', 403],
    ['viewer', 'admin', 403],
    ['staff', 'viewer', 200],
    ['staff', 'staff', 200],
    ['staff', 'admin', 403],
    ['admin', 'viewer', 200],
    ['admin', 'staff', 200],
    ['admin', 'admin', 200],
  ])('a member with the role %s at a route for %s', async (role, needed, statusCode) => {
    const answered = await send(ofMember({ role: needed }), { cookie: await memberCookie(role) });
    expect(answered.statusCode).toBe(statusCode);
    expect(answered.code).toBe(statusCode === 403 ? 'role_too_low' : undefined);
  });

  test('may need a sign-in within the last 5 minutes', async () => {
    const sensitive = ofMember({ role: 'admin', recentSignIn: true });
    const old = await memberCookie('admin', ago(5 * minute));
    expect(await send(sensitive, { cookie: old })).toMatchObject({ statusCode: 403, code: 'sign_in_too_old' });
    expect(await send(ofMember({ role: 'admin' }), { cookie: old })).toMatchObject({ statusCode: 200 });
    const recent = await memberCookie('admin', ago(5 * minute - 5 * second));
    expect(await send(sensitive, { cookie: recent })).toMatchObject({ statusCode: 200 });
    const unknown = await openDashboardSession(database, await addMember(database, practiceId, 'admin'), {
      authenticatedAt: undefined,
    });
    expect(await send(sensitive, { cookie: cookieOf(unknown) })).toMatchObject({ code: 'sign_in_too_old' });
  });

  test('may need it only in live mode', async () => {
    const cookie = await memberCookie('admin', ago(5 * minute));
    const access = { role: 'admin', recentSignIn: 'live_mode' } as const;
    expect(await send(ofMember(access, 'live'), { cookie })).toMatchObject({ code: 'sign_in_too_old' });
    expect(await send(ofMember(access, 'sandbox'), { cookie })).toMatchObject({ statusCode: 200 });
  });
});

describe('a practice of a platform', () => {
  const platformId = 'plt_harbor';
  const joined = { practiceId: 'prc_joined', platformId, platformSince: toIso(Date.now()) };
  const asksFor = async (route: AreaRoute, cookie: string, asked = joined.practiceId) =>
    send(route, { cookie, practiceId: asked });

  async function platformMember(role: Role) {
    const user = await addMember(database, platformId, role);
    return { ...user, cookie: cookieOf(await openDashboardSession(database, user)) };
  }

  test("answers the platform's members with their role there, until it leaves", async () => {
    await putAll(database, 'practices', [aPractice(joined)]);
    const { cookie, userId, email } = await platformMember('staff');
    expect((await asksFor(ofMember(), cookie)).caller).toEqual({
      practiceId: joined.practiceId,
      userId,
      role: 'staff',
      platformId,
      author: { kind: 'user', userId, email, address: '192.0.2.7', platformId },
    });
    expect(await asksFor(ofMember({ role: 'admin' }), cookie)).toMatchObject({ code: 'role_too_low' });
    const notOurs = { ...joined, practiceId: 'prc_not_ours', platformId: 'plt_other' };
    await putAll(database, 'practices', [notOurs, { practiceId: 'prc_alone' }].map(aPractice));
    for (const other of ['prc_not_ours', 'prc_alone', 'prc_unknown', 'plt_other'])
      expect(await asksFor(ofMember({ role: 'viewer', platform: 'too' }), cookie, other)).toMatchObject({
        code: 'practice_not_found',
      });
    await putAll(database, 'practices', [aPractice({ practiceId: joined.practiceId })]);
    expect(await asksFor(ofMember(), cookie)).toMatchObject({ statusCode: 404, code: 'practice_not_found' });
  });

  test('keeps to itself what its platform must not do for it', async () => {
    await putAll(database, 'practices', [aPractice(joined)]);
    const ownMembersOnly = ofMember({ role: 'viewer', ownMembersOnly: true });
    for (const role of ['viewer', 'admin'] as const)
      expect(await asksFor(ownMembersOnly, (await platformMember(role)).cookie)).toMatchObject({
        statusCode: 403,
        code: 'own_members_only',
      });
  });

  test('gives someone who is a member of both the role they have in the practice', async () => {
    await putAll(database, 'practices', [aPractice(joined)]);
    const { cookie, ...user } = await platformMember('admin');
    await addMember(database, joined.practiceId, 'viewer', user);
    const { caller } = await asksFor(ofMember({ role: 'viewer', ownMembersOnly: true }), cookie);
    expect(caller).toMatchObject({ role: 'viewer' });
    expect(caller).not.toHaveProperty('platformId');
  });

  test.each([
    ['a platform', platformId, { too: 200, only: 200, no: 404 }],
    ['a practice', joined.practiceId, { too: 200, only: 404, no: 200 }],
  ])('%s is found by the routes that are about one', async (_, asked, found) => {
    await putAll(database, 'practices', [aPractice(joined)]);
    const { cookie } = await platformMember('viewer');
    const statusOf = async (access: Omit<MemberAccess, 'role'>) =>
      (await asksFor(ofMember({ role: 'viewer', ...access }), cookie, asked)).statusCode;
    expect({
      too: await statusOf({ platform: 'too' }),
      only: await statusOf({ platform: 'only' }),
      no: await statusOf({}),
    }).toEqual(found);
  });
});
