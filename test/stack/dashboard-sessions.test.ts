import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { memberSessionList, replacedLink } from '../../functions/contract/sessions/dashboard-sessions.ts';
import type { Role } from '../../functions/domain/team/member.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf, succeeded } from '../support/patient.ts';
import { runCommand } from '../support/run-command.ts';

let service: TestPractice;
let practiceId: string;
const users = {} as Record<Role, DashboardUser>;
onStack.beforeAll(async ({ own }) => {
  service = own;
  ({ practiceId } = service.practice);
  for (const role of ['viewer', 'staff', 'admin'] as const)
    users[role] = await dashboardUser(service, { practiceId, role });
});

async function ask(role: Role, query: string) {
  const response = await fetch(`${service.dashboardUrl}/api/dashboard/practices/${practiceId}/sessions?${query}`, {
    headers: { cookie: users[role].cookie },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function idsOf(query: string): Promise<string[]> {
  const { status, body } = await ask('viewer', query);
  expect(status).toBe(200);
  return memberSessionList.parse(body).data.map(({ sessionId }) => sessionId);
}

it('a payment link that is asked for again with the same key is created once', async () => {
  const staff = users.staff.with({ 'idempotency-key': randomUUID() });
  const body = { invoiceId: 'INV-again', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  const first = await staff.call('createSession', { practiceId }, body);
  expect(first.status).toBe(201);
  expect((await staff.call('createSession', { practiceId }, body)).body).toEqual(first.body);
  await runCommand(service.operated, 'suspend', { practice: practiceId });
  expect((await staff.call('createSession', { practiceId }, body)).body).toEqual(first.body);
  await runCommand(service.operated, 'resume', { practice: practiceId });
  expect(await idsOf('invoiceId=INV-again')).toEqual([first.body['sessionId']]);
  expect(await staff.call('createSession', { practiceId }, { ...body, amountCents: 200 })).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
});

describe('a patient who asks for more time', () => {
  async function aSession(settings: Partial<Parameters<typeof createPractice>[1]> = {}) {
    const short = { author, name: 'Short of time', sessionLifetimeSeconds: 240, ...settings };
    const practice = await createPractice(service.operated, short, Date.now());
    const { sessionId, hostedUrl } = await service.createSession({}, practice);
    return { ...practice, sessionId, patient: patientOf(hostedUrl) };
  }

  it('gets a whole period, which the practice and its staff see', async () => {
    const { sessionId, patient, ...practice } = await aSession();
    const opened = succeeded(await patient.open()).body;
    const { body } = succeeded(await patient.extend());
    const expiresAt = new Date(Date.parse(String(opened['expiresAt'])) + 240_000).toISOString();
    expect(body).toEqual({ ...opened, expiresAt, extensionsLeft: 9 });
    expect((await patient.view()).body).toEqual(body);
    expect(await service.clientOf(practice.apiKey).sessions.get(sessionId)).toMatchObject({ expiresAt });

    const staff = await dashboardUser(service, { practiceId: practice.practiceId, role: 'staff' });
    const seen = await staff.call('getSession', { practiceId: practice.practiceId, sessionId });
    expect(seen.body).toMatchObject({ extensions: 1, extendedAt: expect.any(String), session: { expiresAt } });
  });

  it.each([
    ['too_early_to_extend', 'before starting', {}, 'view'],
    ['too_early_to_extend', 'with more than five minutes left', { sessionLifetimeSeconds: 1800 }, 'open'],
    ['no_extensions_left', 'where the practice does not allow it', { extensions: false }, 'open'],
  ] as const)('is told %s %s', async (code, _, settings, before) => {
    const { patient } = await aSession(settings);
    const { body } = succeeded(await patient[before]());
    expect(await patient.extend()).toMatchObject({ status: 409, body: { code } });
    expect((await patient.view()).body).toEqual(body);
  });
});

describe('the list of sessions in the dashboard', () => {
  it('names the patient, except to a viewer', async () => {
    const { sessionId } = await service.createSession({ invoiceId: 'INV-names' });
    for (const role of ['viewer', 'staff', 'admin'] as const) {
      const { data } = memberSessionList.parse((await ask(role, 'invoiceId=INV-names')).body);
      expect(data).toMatchObject([{ sessionId, status: 'pending' }]);
      expect(data[0]?.patient).toEqual(role === 'viewer' ? undefined : { firstName: 'Ada', lastName: 'Okafor' });
    }
  });

  it('filters by several states, an invoice and when the session was created', async () => {
    const since = new Date().toISOString();
    const first = await service.createSession({ invoiceId: 'INV-filters' });
    const second = await service.createSession({ invoiceId: 'INV-filters' });
    await service.client.sessions.cancel(first.sessionId);
    const range = (from: string, to: string) => `invoiceId=INV-filters&createdSince=${from}&createdBefore=${to}`;
    const until = new Date(Date.now() + 1000).toISOString();
    expect(await idsOf(range(since, until))).toEqual([second.sessionId, first.sessionId]);
    expect(await idsOf(`${range(since, until)}&status=cancelled&status=failed`)).toEqual([first.sessionId]);
    expect(await idsOf('status=cancelled&status=failed')).toContain(first.sessionId);
    expect(await idsOf(range('2020-01-01T00:00:00.000Z', since))).toEqual([]);
  });

  it('finds the payments that were returned', async () => {
    expect(await idsOf('returned=true')).toEqual([]);
    const { sessionId } = await service.createSession();
    await service.client.sandbox.simulate(sessionId, 'user_late_return');
    await service.client.sandbox.advance(sessionId);
    await expect.poll(() => idsOf('returned=true')).toEqual([sessionId]);
    const { data } = memberSessionList.parse((await ask('viewer', 'returned=true')).body);
    expect(data).toMatchObject([{ status: 'succeeded', return: { code: expect.any(String) as string } }]);
  });

  it.each([
    'createdSince=yesterday',
    'createdBefore=2026-11-20',
    'returned=false',
    'returned=true&returned=true',
    'limit=101',
    'sort=asc',
  ])('refuses %s', async (query) => {
    expect(await ask('viewer', query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('refuses a cursor from other filters', async () => {
    await service.createSession();
    await service.createSession();
    const { nextCursor } = memberSessionList.parse((await ask('viewer', 'limit=1')).body);
    expect(await ask('viewer', `limit=1&cursor=${nextCursor}`)).toMatchObject({ status: 200 });
    expect(await ask('viewer', `limit=1&returned=true&cursor=${nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });
});

describe('a new link in the dashboard', () => {
  it('replaces the old one, even if the patient has connected a bank', async () => {
    const { sessionId, patient } = await service.connect('user_good');
    const { status, body } = await users.staff.call('replaceLink', { practiceId, sessionId });
    expect(status).toBe(200);
    const { hostedUrl, linkReplacedAt } = replacedLink.parse(body);
    const { body: detail } = await users.viewer.call('getSession', { practiceId, sessionId });
    expect(detail).toMatchObject({ linkReplacedAt });
    const gone = { status: 404, body: { code: 'link_not_found' } };
    expect(await patient.view()).toMatchObject(gone);
    expect(await patient.authorize()).toMatchObject(gone);

    const next = patientOf(hostedUrl);
    const { body: view } = await next.view();
    expect(view).toMatchObject({ status: 'pending', bankConnectionAttemptsRemaining: 5 });
    expect(view).not.toHaveProperty('bankAccount');
    expect(view).not.toHaveProperty('openedAt');
    expect(await next.connectBank('user_good', service.practice.password)).toMatchObject({ status: 200 });
    expect(await next.authorize()).toMatchObject({ status: 200, body: { status: 'processing' } });
  });

  it('keeps the language and the return link', async () => {
    const returnUrl = 'https://lakeside.example/bills';
    const { sessionId } = await service.createSession({ locale: 'es', returnUrl });
    const { body } = await users.staff.call('replaceLink', { practiceId, sessionId });
    const { hostedUrl } = replacedLink.parse(body);
    expect(hostedUrl).toMatch(/\/s\/[\w-]{43}\?lang=es$/);
    expect((await users.viewer.call('getSession', { practiceId, sessionId })).body).toMatchObject({ locale: 'es' });
    expect((await patientOf(hostedUrl).view()).body).toMatchObject({ status: 'pending', returnUrl });
  });

  it('withdraws the receipt of a paid session', async () => {
    const { sessionId, patient } = await service.pay('user_stuck');
    const { body } = await users.admin.call('replaceLink', { practiceId, sessionId });
    expect(await patient.view()).toMatchObject({ status: 404, body: { code: 'link_not_found' } });
    expect(await patientOf(replacedLink.parse(body).hostedUrl).view()).toMatchObject({
      status: 200,
      body: { status: 'processing', receipt: {}, bankAccount: {} },
    });
  });
});
