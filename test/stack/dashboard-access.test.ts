import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  dashboardRoutes as ofEveryStage,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
} from '../../functions/contract/routes.ts';
import type { DashboardRoute, MemberAccess } from '../../functions/contract/dashboard-route.ts';
import { none } from '../../functions/contract/route.ts';
import { allows, type Role } from '../../functions/domain/team/member.ts';
import { minute } from '../../functions/domain/time.ts';
import { createPlatform, joinPlatform } from '../../functions/practices/platforms.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { createPractice } from '../support/create-practice.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { readTables, waitUntilIdle } from '../support/table-contents.ts';

const dashboardRoutes = { ...ofEveryStage, ...sandboxDashboardRoutes };
type Name = keyof typeof dashboardRoutes;
type OfMember = [name: Name, route: DashboardRoute & { readonly access: MemberAccess }];

const all = Object.entries(dashboardRoutes) as [Name, DashboardRoute][];
const ofMembers = all.filter((each): each is OfMember => typeof each[1].access === 'object');
/** Leaves out those that anyone may read: they lead through a sign-in. */
const guarded = all.filter(([, { access, method }]) => access !== 'anyone' || method === 'POST');
const changes = all.filter(([, { method }]) => method === 'POST');

const bodies: Partial<Record<Name, object>> = {
  acceptInvitation: { token: 'none' },
  signOut: {},
  searchSessions: { text: 'Okafor' },
  createSession: { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } },
  refundSession: { refundId: '0b6f3e0c-5b0e-4f0a-9d3c-3f6a1d2b4c5e', amountCents: 100, reason: 'Paid twice' },
  createKey: { name: 'Another' },
  rotateKey: { end: 'now' },
  createWebhookEndpoint: { url: 'http://127.0.0.1:9/webhooks' },
  changeWebhookEndpoint: { eventTypes: ['all'] },
  moveWebhookEndpoint: { url: 'http://127.0.0.1:9/moved' },
  setWebhookEndpointStatus: { status: 'disabled' },
  rotateSigningSecret: {},
  replayWebhookEndpoint: { since: '2026-01-01' },
  changeSettings: { name: 'Another name' },
  changeLogo: { logo: null },
  inviteMember: { email: 'new@example.com', role: 'admin' },
  changeMember: { role: 'viewer' },
  changeMailTopics: { mailTopics: [] },
};

const refusals = new Set([
  '401 not_signed_in',
  '403 cross_site_request',
  '404 practice_not_found',
  '403 role_too_low',
  '403 sign_in_too_old',
  '403 own_members_only',
]);

type Ids = Record<'practiceId' | 'sessionId' | 'keyId' | 'endpointId' | 'eventId' | 'userId' | 'invitationId', string>;

let service: TestPractice;
let own: Ids;
let foreign: Ids;
let users: Record<'viewer' | 'admin', DashboardUser>;
/** An admin who signed in too long ago for sensitive actions. */
let idle: DashboardUser;
/** A platform, its members, and one of its practices. */
let vendor: { platformId: string; served: string; members: typeof users };

async function filledPractice(stack: TestPractice, name: string): Promise<Ids> {
  const { operated } = stack;
  const created = await createPractice(
    operated,
    { name, webhookUrl: stack.receiver.url, supportPhone: '+1 555 010 0100', author: { kind: 'operator' } },
    Date.now(),
  );
  const { practiceId, apiKey, endpointId = '' } = created;
  const admin = await dashboardUser(stack, { practiceId, role: 'admin' });
  const { sessionId } = await stack.createSession({}, { apiKey });
  await stack.clientOf(apiKey).sessions.cancel(sessionId);
  const invited = await admin.call('inviteMember', { practiceId }, bodies.inviteMember);
  return {
    practiceId,
    sessionId,
    keyId: apiKey.split('_')[2] ?? '',
    endpointId,
    eventId: `evt_${sessionId.slice('ses_'.length)}_1`,
    userId: admin.userId,
    invitationId: String(invited.body['invitationId']),
  };
}

const operator = { author: { kind: 'operator' } } as const;

async function filledPlatform(): Promise<typeof vendor> {
  const { operated } = service;
  const { platformId } = await createPlatform(operated, { ...operator, name: 'Harbor Software' }, Date.now());
  const { practiceId: served } = await createPractice(operated, { ...operator, name: 'Served' }, Date.now());
  await joinPlatform(operated, { ...operator, practiceId: served, platformId }, Date.now());
  const member = (role: Role) => dashboardUser(service, { practiceId: platformId, role });
  const members = { viewer: await member('viewer'), admin: await member('admin') };
  return { platformId, served, members };
}

onStack.beforeAll(async ({ own: shared }) => {
  service = shared;
  [own, foreign] = [await filledPractice(service, 'Own'), await filledPractice(service, 'Foreign')];
  const member = (role: Role) => dashboardUser(service, { practiceId: own.practiceId, role });
  users = { viewer: await member('viewer'), admin: await member('admin') };
  const authenticatedAt = Date.now() - 5 * minute;
  idle = await dashboardUser(service, { practiceId: own.practiceId, role: 'admin', authenticatedAt });
  vendor = await filledPlatform();
  // Rows change while a webhook is sent.
  await waitUntilIdle(service.stack, own.practiceId, foreign.practiceId);
});

/** Nothing has these IDs, so that no call changes what the next one needs. */
const nobody = (): Ids => ({
  practiceId: own.practiceId,
  sessionId: `ses_01KAG3ZQ8M0000000000000000`,
  keyId: 'none',
  endpointId: 'none',
  eventId: 'none',
  userId: 'none',
  invitationId: 'none',
});

describe('every route of the dashboard', () => {
  it('has an example here if it takes a body', () => {
    const taking = changes.filter(([, { body }]) => body !== none).map(([name]) => name);
    expect(Object.keys(bodies).sort()).toEqual(taking.sort());
  });

  async function refusal(name: Name, user: DashboardUser, ids: Ids): Promise<string> {
    const { status, body } = await user.call(name, ids, bodies[name]);
    expect(status).toBeLessThan(500);
    const answer = `${status} ${String(body['code'])}`;
    return refusals.has(answer) ? answer : 'none';
  }

  // `test/http/dashboard-route.test.ts` tests whom the route table admits. This tests that every route checks it.
  it.each(guarded)('%s answers only those whom it names', async (name, { method, access }) => {
    const refusalOf = (user: DashboardUser, practiceId = own.practiceId) =>
      refusal(name, user, { ...nobody(), practiceId });
    const stranger = users.admin.with({ cookie: `dashboard=${randomBytes(32).toString('base64url')}` });
    if (access !== 'anyone') expect(await refusalOf(stranger)).toBe('401 not_signed_in');
    const otherSite = users.admin.with({ 'sec-fetch-site': 'cross-site' });
    if (method === 'POST') expect(await refusalOf(otherSite)).toBe('403 cross_site_request');
    if (typeof access === 'string') return;

    const { platformId, served, members } = vendor;
    const ofPractices = (answer: string) => (access.platform === 'only' ? '404 practice_not_found' : answer);
    expect(await refusalOf(users.admin, foreign.practiceId)).toBe('404 practice_not_found');
    if (!allows('viewer', access.role)) expect(await refusalOf(users.viewer)).toBe(ofPractices('403 role_too_low'));
    expect(await refusalOf(idle)).toBe(ofPractices(access.recentSignIn === true ? '403 sign_in_too_old' : 'none'));
    expect(await refusalOf(members.admin, served), "the platform's, for a practice").toBe(
      ofPractices(access.ownMembersOnly ? '403 own_members_only' : 'none'),
    );
    expect(await refusalOf(members.admin, platformId), "the platform's, for itself").toBe(
      access.platform ? 'none' : '404 practice_not_found',
    );
  });

  it("refuses a platform's members what needs the practice's consent, and what would outlast their access", () => {
    const routes: Record<string, DashboardRoute> = { ...dashboardRoutes, ...liveDashboardRoutes };
    const left = Object.entries(routes).filter(([, { access }]) => typeof access === 'object' && access.ownMembersOnly);
    expect(left.map(([name]) => name).sort()).toEqual([
      'acceptTerms',
      'changeMailTopics',
      'changeMember',
      'changeWebhookEndpoint',
      'createKey',
      'createWebhookEndpoint',
      'deleteWebhookEndpoint',
      'endPlatformAccess',
      'moveWebhookEndpoint',
      'removeMember',
      'revealSigningSecret',
      'revokeKey',
      'rotateKey',
      'rotateSigningSecret',
      'setWebhookEndpointStatus',
      'startDepositOnboarding',
    ]);
  });

  it('does not find what belongs to another practice, and changes nothing there', async () => {
    const rows = () => readTables(service.stack, foreign.practiceId);
    const before = await rows();
    for (const [name] of ofMembers.filter(([, { path }]) => path.split('{').length > 2)) {
      const { status } = await users.admin.call(name, { ...foreign, practiceId: own.practiceId }, bodies[name]);
      expect(status, name).toBe(404);
    }
    expect(await rows()).toEqual(before);
  });

  it.each(ofMembers.filter(([, { method }]) => method === 'GET'))(
    '%s shows no secret, and no name to a viewer',
    async (name) => {
      for (const role of ['viewer', 'admin'] as const) {
        const { status, text } = await users[role].call(name, own);
        expect([200, 403, 404]).toContain(status);
        expect(text).not.toMatch(/whsec_|secretHash|tokenHash|invitationHash|dashboardSessionId/);
        if (role === 'viewer') expect(text).not.toContain('Okafor');
      }
    },
  );
});

describe('a practice that ends the access of its platform', () => {
  it('is gone for it at once, and both learn who did it', async () => {
    const { platformId, served: practiceId, members } = await filledPlatform();
    // The platform invites the practice's first admin.
    const invited = await members.admin.call('inviteMember', { practiceId }, bodies.inviteMember);
    const token = new URL(String(invited.body['invitationUrl'])).hash.slice(1);
    const admin = await dashboardUser(service, { practiceId: own.practiceId, role: 'viewer' });
    expect((await admin.call('acceptInvitation', {}, { token })).body).toEqual({ practiceId, role: 'admin' });
    const codeOf = async (name: Name) => {
      const { status, body } = await members.admin.call(name, { ...nobody(), practiceId }, bodies[name]);
      return status === 200 ? 'answered' : body['code'];
    };
    const listed = async () =>
      (await members.viewer.call('listPlatformPractices', { practiceId: platformId })).body['data'];
    expect(await codeOf('getSettings')).toBe('answered');
    expect(await listed()).toMatchObject([{ practiceId, name: expect.any(String), missingForLinks: [] }]);
    expect((await members.viewer.call('getMe')).body).toMatchObject({
      practices: [],
      platforms: [{ platformId, name: 'Harbor Software', role: 'viewer' }],
    });
    expect((await admin.call('getSettings', { practiceId })).body).toMatchObject({
      platformId,
      platformName: 'Harbor Software',
      platformSince: expect.any(String),
    });

    const mailsBefore = service.mails.length;
    const ended = await admin.call('endPlatformAccess', { practiceId });
    expect(ended).toMatchObject({ status: 200, body: { practiceId, platformId } });
    for (const name of ['getSettings', 'createSession'] as const) expect(await codeOf(name)).toBe('practice_not_found');
    expect(await listed()).toEqual([]);
    expect((await admin.call('endPlatformAccess', { practiceId })).body['code']).toBe('practice_in_no_platform');
    expect((await admin.call('getSettings', { practiceId })).body).not.toHaveProperty('platformName');

    for (const [owner, target] of [
      [practiceId, platformId],
      [platformId, practiceId],
    ] as const) {
      const { entries } = await listAuditLog(service.operated.database, owner, { limit: 1 });
      const author = { kind: 'user', userId: admin.userId };
      expect(entries).toMatchObject([{ action: 'practice.left_platform', target, author }]);
    }
    await expect
      .poll(() => service.mails.slice(mailsBefore).map(({ subject }) => subject))
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^A platform no longer acts for the practice at /),
          'Your access to a practice ended at Harbor Software',
        ]),
      );
  });

  it("names the platform in the practice's audit log while its members act", async () => {
    const { platformId, served: practiceId, members } = await filledPlatform();
    expect((await members.admin.call('changeSettings', { practiceId }, bodies.changeSettings)).status).toBe(200);
    const { entries } = await listAuditLog(service.operated.database, practiceId, { limit: 1 });
    expect(entries).toMatchObject([
      { action: 'practice.updated', author: { userId: members.admin.userId, platformId } },
    ]);
  });
});
