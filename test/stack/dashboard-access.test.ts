import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dashboardRoutes as ofEveryStage, sandboxDashboardRoutes } from '../../functions/contract/routes.ts';
import type { DashboardRoute, MemberAccess } from '../../functions/contract/dashboard-route.ts';
import { none } from '../../functions/contract/route.ts';
import { allows, roles, type Role } from '../../functions/domain/team/member.ts';
import { minute } from '../../functions/domain/time.ts';
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
/** Those that anyone may read lead through a sign-in. */
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
  inviteMember: { email: 'new@example.com', role: 'viewer' },
  changeMember: { role: 'viewer' },
  changeMailTopics: { mailTopics: [] },
};

const refusals = new Set([
  '401 not_signed_in',
  '403 cross_site_request',
  '404 practice_not_found',
  '403 role_too_low',
  '403 sign_in_too_old',
]);

type Ids = Record<'practiceId' | 'sessionId' | 'keyId' | 'endpointId' | 'eventId' | 'userId' | 'invitationId', string>;

let service: TestPractice;
let own: Ids;
let foreign: Ids;
let users: Record<Role, DashboardUser>;
/** An admin who signed in too long ago for what is sensitive. */
let idle: DashboardUser;

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

onStack.beforeAll(async ({ own: shared }) => {
  service = shared;
  [own, foreign] = [await filledPractice(service, 'Own'), await filledPractice(service, 'Foreign')];
  const member = (role: Role) => dashboardUser(service, { practiceId: own.practiceId, role });
  users = { viewer: await member('viewer'), staff: await member('staff'), admin: await member('admin') };
  const authenticatedAt = Date.now() - 5 * minute;
  idle = await dashboardUser(service, { practiceId: own.practiceId, role: 'admin', authenticatedAt });
  // Rows change while a webhook is sent.
  await waitUntilIdle(service.stack, own.practiceId, foreign.practiceId);
});

/** Nothing has these ids, so that no call changes what the next one needs. */
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

  it.each(guarded)('%s answers only those whom it names', async (name, { method, access }) => {
    const refusalOf = async (user: DashboardUser, ids = nobody()) => {
      const { status, body } = await user.call(name, ids, bodies[name]);
      expect(status).toBeLessThan(500);
      const refusal = `${status} ${String(body['code'])}`;
      return refusals.has(refusal) ? refusal : 'none';
    };
    const stranger = users.admin.with({ cookie: `dashboard=${randomBytes(32).toString('base64url')}` });
    if (access !== 'anyone') expect(await refusalOf(stranger)).toBe('401 not_signed_in');
    const otherSite = users.admin.with({ 'sec-fetch-site': 'cross-site' });
    if (method === 'POST') expect(await refusalOf(otherSite)).toBe('403 cross_site_request');
    if (typeof access === 'string') return;

    expect(await refusalOf(users.admin, foreign)).toBe('404 practice_not_found');
    for (const role of roles)
      expect(await refusalOf(users[role]), role).toBe(allows(role, access.role) ? 'none' : '403 role_too_low');
    expect(await refusalOf(idle)).toBe(access.recentSignIn === true ? '403 sign_in_too_old' : 'none');
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
      for (const role of roles) {
        const { status, text } = await users[role].call(name, own);
        expect([200, 403, 404]).toContain(status);
        expect(text).not.toMatch(/whsec_|secretHash|tokenHash|invitationHash|dashboardSessionId/);
        if (role === 'viewer') expect(text).not.toContain('Okafor');
      }
    },
  );
});
