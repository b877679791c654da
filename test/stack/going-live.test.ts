import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { liveDashboardRoutes } from '../../functions/contract/routes.ts';
import { ticketGrace } from '../../functions/domain/due.ts';
import { termsVersion } from '../../functions/domain/practices/practice.ts';
import { allows, type Role } from '../../functions/domain/team/member.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { createPractice } from '../../functions/practices/create.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { createPlatform, joinPlatform, leavePlatform } from '../../functions/practices/platforms.ts';
import { createPaymentClient } from '../../web/client/index.ts';
import { requireEndpoint } from '../../functions/webhooks/requirements.ts';
import { recordSuccess } from '../../functions/store/webhooks/endpoint-health.ts';
import { getPractice } from '../../functions/store/practices/practices.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { getProcessorDebit } from '../../functions/store/payments/processor-debits.ts';
import { insertProcessorEvent } from '../../functions/store/payments/processor-events.ts';
import { author } from '../support/create-practice.ts';
import { dashboardUser, lastSeenBefore, type DashboardUser } from '../support/dashboard-user.ts';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';
import { databaseOf } from '../support/tables.ts';
import { putAuthorizedSession } from './stranded.ts';
import { patience } from '../support/until.ts';

let service: LivePractice;
onLiveStack.beforeAll(({ ownLive }) => {
  service = ownLive;
});

async function aNewPractice() {
  const input = { author, name: 'Hillside', webhookUrl: service.receiver.url, supportPhone: '+1 555 010 0100' };
  const { practiceId, endpointId = '' } = await createPractice(service.operated, input, Date.now());
  const member = (role: Role, authenticatedAt = Date.now()) =>
    dashboardUser(service, { practiceId, role, authenticatedAt });
  return { practiceId, endpointId, member };
}

// The routes of both modes: `dashboard-access.test.ts`.
test.each(Object.entries(liveDashboardRoutes))(
  '%s answers only those whom it names',
  async (route, { access, method }) => {
    const name = route as keyof typeof liveDashboardRoutes;
    const [{ practiceId, member }, other] = [await aNewPractice(), await aNewPractice()];
    const refusalOf = async (user: DashboardUser) => {
      const { status, body } = await user.call(name, { practiceId, sessionId: 'none', payoutId: 'none' }, {});
      return `${status} ${String(body['code'])}`;
    };
    const admin = await member('admin');
    expect(await refusalOf(admin.with({ cookie: '' }))).toBe('401 not_signed_in');
    if (method === 'POST')
      expect(await refusalOf(admin.with({ 'sec-fetch-site': 'cross-site' }))).toBe('403 cross_site_request');
    expect(await refusalOf(await other.member('admin'))).toBe('404 practice_not_found');
    const ofViewer = await refusalOf(await member('viewer'));
    if (allows('viewer', access.role)) expect(ofViewer).not.toMatch(/role_too_low|practice_not_found/);
    else expect(ofViewer).toBe('403 role_too_low');
    const ofIdle = await refusalOf(await member('admin', Date.now() - 5 * minute));
    if (access.recentSignIn === true) expect(ofIdle).toBe('403 sign_in_too_old');
  },
);

test('a practice does each step in the dashboard, and then gets its first live key', async () => {
  const { practiceId, endpointId, member } = await aNewPractice();
  const admin = await member('admin');
  const ids = { practiceId };
  const checklist = async () => (await admin.call('getHome', ids)).body['checklist'];
  expect(await checklist()).toMatchObject({ terms: false, deposit: false, branding: false, webhookDelivered: false });
  expect(await admin.call('createKey', ids, { name: 'billing' })).toMatchObject({
    status: 409,
    body: { code: 'not_ready_for_live', missing: ['branding', 'deposit', 'webhookDelivered', 'terms'] },
  });

  const session = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  const missing = ['terms', 'deposit', 'branding'];
  expect(await admin.call('createSession', ids, session)).toMatchObject({
    status: 409,
    body: { code: 'not_ready_for_live', missing },
  });
  expect((await admin.call('getSettings', ids)).body['missingForLinks']).toEqual(missing);

  expect((await admin.call('acceptTerms', ids, { version: '2020-01-01' })).status).toBe(400);
  expect((await admin.call('acceptTerms', ids, { version: termsVersion })).status).toBe(200);
  expect((await admin.call('changeSettings', ids, { primaryColor: '#0f766e', retentionMonths: 12 })).status).toBe(200);
  const { database } = service.operated;
  expect((await admin.call('createKey', ids, { name: 'billing' })).body['missing']).toEqual([
    'deposit',
    'webhookDelivered',
  ]);
  await recordSuccess(database, await requireEndpoint(database, { practiceId, endpointId }), Date.now());
  const { body } = await admin.call('startDepositOnboarding', ids);
  await fetch(String(body['url']), {
    method: 'POST',
    body: new URLSearchParams({ finish: 'yes' }),
    redirect: 'manual',
  });
  expect((await admin.call('getDeposit', ids)).body).toMatchObject({ status: 'ready', needs: [] });

  expect(await checklist()).toMatchObject({ terms: true, deposit: true, branding: true, webhookDelivered: true });
  const { status, body: created } = await admin.call('createKey', ids, { name: 'billing' });
  expect({ status, apiKey: created['apiKey'] }).toEqual({ status: 201, apiKey: expect.stringMatching(/^pip_live_/) });
  expect((await admin.call('createSession', ids, session)).status).toBe(201);
  expect(await admin.call('createSession', ids, { ...session, amountCents: 49 })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', errors: [{ pointer: '/amountCents', minimum: 50 }] },
  });
  const subjects = () => service.mails.filter(({ text }) => text.includes(practiceId)).map(({ subject }) => subject);
  await vi.waitFor(
    () =>
      expect(subjects()).toEqual(
        expect.arrayContaining([
          'Someone asked for the page that sets where payments are deposited at Hillside',
          'Where payments are deposited changed at Hillside',
          'The terms for live payments were accepted at Hillside',
          'An API key was created at Hillside',
          'Important settings were changed at Hillside',
        ]),
      ),
    patience,
  );
});

test("a platform's key creates sessions for a practice that is ready, and gets the link that sets up its deposits", async () => {
  const { operated, apiUrl } = service;
  const { platformId, apiKey } = await createPlatform(operated, { author, name: 'Harbor' }, Date.now());
  const vendor = createPaymentClient({ apiUrl, apiKey, maximumAttempts: 1 });
  await expect(vendor.practices.create({ name: 'Nowhere' })).rejects.toMatchObject({ code: 'contact_required' });
  const { practiceId } = await vendor.practices.create({ name: 'Harborside', supportPhone: '+1 555 010 0100' });
  expect((await vendor.practices.get(practiceId)).missing).toEqual(['terms', 'deposit', 'branding']);
  const client = createPaymentClient({ apiUrl, apiKey, practiceId, maximumAttempts: 1 });
  const session = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  await expect(client.sessions.create(session)).rejects.toMatchObject({ code: 'not_ready_for_live' });

  // A key in its first use.
  const scopes = ['practices:write' as const];
  const onboarding = await addKey(operated, { practiceId: platformId, author, name: 'Onboarding', scopes }, Date.now());
  const { url } = await createPaymentClient({ apiUrl, apiKey: onboarding.apiKey }).practices.createOnboardingLink(
    practiceId,
  );
  expect(url).toMatch(/^https?:/);
  // A practice that has had its own key was ready before.
  const { practice } = service;
  await joinPlatform(operated, { practiceId: practice.practiceId, platformId, author }, Date.now());
  const ready = createPaymentClient({ apiUrl, apiKey, practiceId: practice.practiceId, maximumAttempts: 1 });
  expect((await ready.sessions.create(session)).status).toBe('pending');
  await leavePlatform(operated, { practiceId: practice.practiceId, author }, Date.now());
});

test('only an admin with a recent sign-in accepts terms, sets up deposits and changes settings', async () => {
  const { practiceId, member } = await aNewPractice();
  const [staff, late] = [await member('staff'), await member('admin', Date.now() - 5 * minute)];
  for (const [route, body] of [
    ['acceptTerms', { version: termsVersion }],
    ['startDepositOnboarding', undefined],
    ['changeSettings', { retentionMonths: 1 }],
  ] as const) {
    expect((await staff.call(route, { practiceId }, body)).body['code']).toBe('role_too_low');
    expect((await late.call(route, { practiceId }, body)).body['code']).toBe('sign_in_too_old');
    const elsewhere = { practiceId: service.practice.practiceId };
    expect((await late.call(route, elsewhere, body)).body['code']).toBe('practice_not_found');
  }
  expect((await staff.call('getDeposit', { practiceId })).body['code']).toBe('role_too_low');
});

test.each(['getStatement', 'getDeposit', 'startDepositOnboarding', 'acceptTerms'] as const)(
  'an admin who was away for some minutes is seen by %s',
  async (name) => {
    const { practiceId } = service.practice;
    const admin = await dashboardUser(service, { practiceId, role: 'admin' });
    const lastSeen = await lastSeenBefore(databaseOf(service.stack), admin);
    const before = await lastSeen();
    expect((await admin.call(name, { practiceId }, { version: termsVersion })).status).toBe(200);
    expect(await lastSeen()).not.toBe(before);
  },
);

test('what Stripe says about an account is recorded when an admin looks', async () => {
  const { practiceId } = service.practice;
  const database = databaseOf(service.stack);
  await database.documents.send(
    new UpdateCommand({
      TableName: database.tables.practices,
      Key: { practiceId },
      UpdateExpression: 'REMOVE depositReadyAt',
    }),
  );
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  expect(await admin.call('getDeposit', { practiceId })).toMatchObject({ status: 200, body: { status: 'ready' } });
  expect(await getPractice(database, practiceId)).toHaveProperty('depositReadyAt');
});

test('a payment that staff cancel in the dashboard is canceled at Stripe', async () => {
  const { sessionId } = await service.payAt('stays_processing');
  // The cancellation looks up the debit only after this.
  const session = () => getExistingSession(databaseOf(service.stack), sessionId);
  await expect.poll(session).toHaveProperty('debit');
  const { practiceId } = service.practice;
  const staff = await dashboardUser(service, { practiceId, role: 'staff' });
  expect(await staff.call('cancelSession', { practiceId, sessionId })).toMatchObject({ status: 200 });
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
});

test('a payment whose debit was not submitted can be canceled, and its debit never is', async () => {
  const database = databaseOf(service.stack);
  const { practiceId } = service.practice;
  const staff = await dashboardUser(service, { practiceId, role: 'staff' });
  const cancels = [
    (sessionId: string) => staff.call('cancelSession', { practiceId, sessionId }),
    (sessionId: string) => service.client.sessions.cancel(sessionId),
  ];
  for (const cancel of cancels) {
    const { sessionId } = await putAuthorizedSession(service, database, Date.now() + hour);
    await cancel(sessionId);
    expect(await service.client.sessions.get(sessionId)).toMatchObject({ status: 'cancelled' });
    expect(await getProcessorDebit(database, sessionId)).toHaveProperty('voidedAt');
  }
});

test('the sweep handles a notification of Stripe whose ticket was lost', async () => {
  const { sessionId } = await service.payAt('stays_processing');
  await service.receiver.waitFor('session.payment.processing', sessionId);
  const database = databaseOf(service.stack);
  const key = { sessionId, processorEventId: 'evt_lost' };
  const received = { ...key, type: 'payment_intent.processing' };
  await insertProcessorEvent(database, received, Date.now() - ticketGrace);
  await service.stack.fireSchedules();
  const row = async () => {
    const { Item } = await database.documents.send(
      new GetCommand({ TableName: database.tables.processorEvents, Key: key, ConsistentRead: true }),
    );
    return Item;
  };
  // Only a handled notification expires.
  await expect.poll(row).toHaveProperty('timeToLive');
});
