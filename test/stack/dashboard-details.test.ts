import { expect, it } from 'vitest';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { second, toIso, hour } from '../../functions/domain/time.ts';
import { attemptAt, getDelivery, newDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { insert } from '../../functions/store/rows.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import { putSession, putAuthorizedSession } from './stranded.ts';
import { ticketGrace } from '../../functions/domain/due.ts';
import { requestCancellation } from '../../functions/store/sessions/cancellations.ts';
import { getSandboxDebit } from '../../functions/store/payments/sandbox-debits.ts';

let service: TestPractice;
let practiceId = '';
let database: TestDatabase;
let admin: DashboardUser;
onStack.beforeAll(async ({ own }) => {
  service = own;
  practiceId = own.practice.practiceId;
  database = databaseOf(own.stack);
  admin = await dashboardUser(own, { practiceId, role: 'admin' });
});

it('erasing a patient in the dashboard removes the metadata from the events that were sent', async () => {
  const { sessionId } = await service.createSession({ metadata: { note: 'Zebulon' } });
  await service.client.sessions.cancel(sessionId);
  const { body } = await service.receiver.waitFor('session.payment.cancelled', sessionId);
  expect(body).toContain('Zebulon');
  expect(await admin.call('erasePatient', { practiceId, sessionId })).toMatchObject({ status: 200 });
  expect((await getEvent(database, sessionEventId(sessionId, 1)))?.body).not.toContain('Zebulon');
});

it.each([
  ['in the dashboard', (sessionId: string) => admin.call('erasePatient', { practiceId, sessionId })],
  ['with the API', (sessionId: string) => service.sessionsApi('POST', `/${sessionId}/erase-patient`)],
] as const)('erasing a patient %s first ends a link that has just expired', async (_, erase) => {
  const { sessionId } = await putSession(service, database, { expiresAt: toIso(Date.now() - second) });
  expect(await erase(sessionId)).toMatchObject({ status: 200 });
  expect(await service.client.sessions.get(sessionId)).toMatchObject({ status: 'cancelled', metadata: {} });
});

it('a returned payment is an alert', async () => {
  const { sessionId } = await service.createSession();
  await service.client.sandbox.simulate(sessionId, 'user_late_return');
  await service.client.sandbox.advance(sessionId);
  await expect
    .poll(async () => (await admin.call('getAlerts', { practiceId })).body['returned'])
    .toEqual([expect.objectContaining({ sessionId })]);
});

it('a link for an invoice that is being paid says so', async () => {
  const { sessionId } = await service.createSession({ invoiceId: 'INV-twice' });
  await service.client.sandbox.simulate(sessionId, 'user_stuck');
  const order = { invoiceId: 'INV-twice', amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  const { status, body } = await admin.call('createSession', { practiceId }, order);
  expect({ status, body }).toMatchObject({ status: 201, body: { blockedBy: expect.any(String) as string } });
});

it('deliveries are listed by endpoint and by session', async () => {
  const { endpointId } = service.practice;
  const { sessionId } = await service.createSession();
  await service.client.sessions.cancel(sessionId);
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
  const address = `${service.dashboardUrl}/api/dashboard/practices/${practiceId}/deliveries`;
  const headers = { cookie: admin.cookie, 'x-dashboard': '1', 'sec-fetch-site': 'same-origin' };
  for (const query of [`endpointId=${endpointId}`, `sessionId=${sessionId}`]) {
    const listed = async () => (await fetch(`${address}?${query}`, { headers })).text();
    await expect.poll(listed).toContain(sessionEventId(sessionId, 1));
  }
});

it('a page that still has a paid link gets its state, and no second payment', async () => {
  const { sessionId, hostedUrl } = await service.createSession();
  await service.client.sandbox.simulate(sessionId, 'user_good');
  const patient = patientOf(hostedUrl);
  expect(await patient.open()).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  expect(await patient.extend()).toMatchObject({ status: 409 });
  expect(await patient.connectBank('user_good', service.practice.password)).toMatchObject({ status: 409 });
});

it('an event that has one delivery already still goes to every endpoint', async () => {
  const url = 'http://127.0.0.1:9/webhooks';
  const created = await admin.call('createWebhookEndpoint', { practiceId }, { url });
  const other = String(created.body['endpointId']);
  const { sessionId } = await service.createSession();
  const eventId = sessionEventId(sessionId, 1);
  // The state after a dispatch that ended halfway: no ticket was sent.
  const now = Date.now();
  const key = { eventId, endpointId: other };
  const due = attemptAt(key, { nextAttemptAt: now, byTicket: false });
  const eventType = 'session.payment.cancelled';
  const row = newDelivery({ ...key, practiceId, eventType, status: 'pending', ...due }, now);
  await insert(database, 'deliveries', row, 'eventId');
  await service.client.sessions.cancel(sessionId);
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
  await service.stack.fireSchedules();
  const attempts = async () => (await getDelivery(database, key))?.attempts;
  await expect.poll(attempts).toBeGreaterThan(0);
});

let staff: DashboardUser;
onStack.beforeAll(async ({ own }) => {
  service = own;
  database = databaseOf(own.stack);
  staff = await dashboardUser(own, { practiceId: own.practice.practiceId, role: 'staff' });
});

const cancelInDashboard = (sessionId: string) =>
  staff.call('cancelSession', { practiceId: service.practice.practiceId, sessionId });

/** The bank has no debit for it, and nobody will submit one in this test. */
const unsubmitted = () => putAuthorizedSession(service, database, Date.now() + hour);

it('staff cancel a payment whose debit the bank can still void', async () => {
  const { sessionId } = await service.pay('user_stuck');
  await service.receiver.waitFor('session.payment.processing', sessionId);
  expect(await cancelInDashboard(sessionId)).toMatchObject({ status: 200 });
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
  expect(await getSandboxDebit(database, sessionId)).toHaveProperty('voidedAt');
});

it.each([
  ['in the dashboard', async (sessionId: string) => (await cancelInDashboard(sessionId)).status],
  ['with the API', async (sessionId: string) => (await service.sessionsApi('POST', `/${sessionId}/cancel`)).status],
] as const)('a payment that is cancelled %s before its debit is submitted can never be debited', async (_, cancel) => {
  const { sessionId } = await unsubmitted();
  expect(await cancel(sessionId)).toBe(200);
  expect(await getSandboxDebit(database, sessionId)).toMatchObject({ voidedAt: expect.any(String) as string });
});

it('a payment that waits for its cancellation is cancelled when the sandbox is asked to go on with it', async () => {
  const { sessionId } = await unsubmitted();
  await requestCancellation(database, sessionId, Date.now() + hour);
  await service.client.sandbox.advance(sessionId).catch(() => undefined);
  expect(await service.client.sessions.get(sessionId)).toMatchObject({ status: 'cancelled' });
});

it('the sweep finishes a cancellation that nobody finished, and the bank voids the debit', async () => {
  const { sessionId } = await service.pay('user_stuck');
  await service.receiver.waitFor('session.payment.processing', sessionId);
  await expect.poll(() => getSandboxDebit(database, sessionId)).toHaveProperty('debit');
  await requestCancellation(database, sessionId, Date.now() - ticketGrace);
  await service.stack.fireSchedules();
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
  expect(await getSandboxDebit(database, sessionId)).toHaveProperty('voidedAt');
});
