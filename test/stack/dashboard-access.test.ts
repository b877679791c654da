import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dashboardRoutes as ofEveryStage, sandboxDashboardRoutes } from '../../functions/contract/dashboard-routes.ts';
import type { DashboardRoute, MemberAccess } from '../../functions/contract/dashboard-api/dashboard-route.ts';
import { none } from '../../functions/contract/route.ts';
import { allows, roles, type Role } from '../../functions/domain/role.ts';
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
const changes = all.filter(([, { method }]) => method === 'POST');

const bodies: Partial<Record<Name, object>> = {
  acceptInvitation: { token: 'none' },
  signOut: {},
  createSession: { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } },
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
  changeAlerts: { wantsAlerts: true },
};

type Ids = Record<'practiceId' | 'sessionId' | 'keyId' | 'endpointId' | 'eventId' | 'userId' | 'invitationId', string>;

let service: TestPractice;
let own: Ids;
let foreign: Ids;
let users: Record<Role, DashboardUser>;

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
  // Rows change while a webhook is sent.
  await waitUntilIdle(service.stack);
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

  it.each(ofMembers)('%s of another practice is not found', async (name) => {
    const { status, body } = await users.admin.call(name, foreign, bodies[name]);
    expect({ status, code: body['code'] }).toEqual({ status: 404, code: 'practice_not_found' });
  });

  it.each(ofMembers.filter(([, { path }]) => path.split('{').length > 2))(
    '%s does not find what belongs to another practice, and changes nothing there',
    async (name) => {
      const before = await rowsOf(foreign);
      const { status } = await users.admin.call(name, { ...foreign, practiceId: own.practiceId }, bodies[name]);
      expect(status).toBe(404);
      expect(await rowsOf(foreign)).toEqual(before);
    },
  );

  it.each(ofMembers)('%s is only for the roles that it names', async (name, { access }) => {
    for (const role of roles) {
      const { status, body } = await users[role].call(name, nobody(), bodies[name]);
      const refused = status === 403 && body['code'] === 'role_too_low';
      expect({ role, refused }).toEqual({ role, refused: !allows(role, access.role) });
      if (!refused) expect(status, role).not.toBe(403);
      expect(status, role).toBeLessThan(500);
    }
  });

  it.each(ofMembers)('%s asks for a recent sign-in only where it must', async (name, { access }) => {
    const idle = await dashboardUser(service, {
      practiceId: own.practiceId,
      role: 'admin',
      authenticatedAt: Date.now() - 5 * 60_000,
    });
    const { status, body } = await idle.call(name, nobody(), bodies[name]);
    const refused = status === 403 && body['code'] === 'sign_in_too_old';
    expect(refused).toBe(access.recentSignIn === true);
  });

  it.each(all.filter(([, { access }]) => access !== 'anyone'))(
    '%s is for nobody who is not signed in',
    async (name) => {
      const stranger = users.admin.with({ cookie: `dashboard=${randomBytes(32).toString('base64url')}` });
      const { status, body } = await stranger.call(name, nobody(), bodies[name]);
      expect({ status, code: body['code'] }).toEqual({ status: 401, code: 'not_signed_in' });
    },
  );

  it.each(changes)('%s refuses what another site can send', async (name) => {
    for (const headers of [
      { 'x-dashboard': '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: 'https://attacker.example' },
      { 'sec-fetch-site': '' },
    ]) {
      const { status, body } = await users.admin.with(headers).call(name, nobody(), bodies[name]);
      expect({ headers, status, code: body['code'] }).toEqual({ headers, status: 403, code: 'cross_site_request' });
    }
  });

  it.each(ofMembers.filter(([, { method }]) => method === 'GET'))(
    '%s shows no secret, and no name to a viewer',
    async (name) => {
      const [, signingSecret = 'none'] = /"signingSecret":"(.*?)"/.exec((await rowsOf(own)).join()) ?? [];
      for (const role of roles) {
        const { status, text } = await users[role].call(name, own);
        expect([200, 403, 404]).toContain(status);
        expect(text).not.toContain(signingSecret);
        expect(text).not.toMatch(/secretHash|tokenHash|invitationHash|dashboardSessionId/);
        if (role === 'viewer') expect(text).not.toContain('Okafor');
      }
    },
  );
});

async function rowsOf({ practiceId }: Ids): Promise<string[]> {
  return [...(await readTables(service.stack))].filter((row) => row.includes(practiceId)).sort();
}
