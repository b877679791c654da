import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { ulid } from '../../functions/domain/identifier.ts';
import { addMonths } from '../../functions/domain/sessions/retention.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { day, toIso } from '../../functions/domain/time.ts';
import { getPractice } from '../../functions/store/practices/practices.ts';
import { insert } from '../../functions/store/rows.ts';
import { listAttributes } from '../../functions/store/sessions/sessions.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import { aSession } from '../support/examples.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { runCommand } from '../support/run-command.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

const patient = { firstName: 'Zebulon', lastName: 'Quackenbush' };
const names = /Zebulon|Quackenbush|6789|Sandbox Bank/;

it('a practice erases a patient: link, status, list and dashboard say so, and the proof stays', async () => {
  const { practiceId } = service.practice;
  const stuck = await service.pay('user_stuck', { patient });
  await expect(service.client.sessions.erasePatient(stuck.sessionId)).rejects.toMatchObject({
    code: 'session_not_ended',
    status: 409,
    sessionStatus: 'processing',
  });
  const order = { patient, metadata: { note: 'Zebulon' }, invoiceId: 'INV-erased' };
  const { sessionId, patient: page } = await service.pay('user_good', order);
  await service.client.sandbox.advance(sessionId);
  const sent = await service.receiver.waitFor('session.payment.succeeded', sessionId);

  const erased = await service.client.sessions.erasePatient(sessionId);
  expect(await service.client.sessions.erasePatient(sessionId)).toEqual(erased);
  const { scrubbedAt, evidenceKeptUntil } = erased;
  expect(Number(evidenceKeptUntil?.slice(0, 4)) - Number(scrubbedAt.slice(0, 4))).toBe(7);

  const view = await page.view();
  expect(view.body).toMatchObject({ status: 'succeeded', scrubbedAt });
  expect(JSON.stringify(view.body)).not.toMatch(names);
  const status = await service.client.sessions.get(sessionId);
  expect(status).toMatchObject({ status: 'succeeded', metadata: {}, scrubbedAt });
  expect((await service.client.sessions.listPage({ invoiceId: 'INV-erased' })).data).toEqual([status]);
  const { data: events } = await service.client.events.listPage({ sessionId });
  expect(JSON.stringify(events)).not.toMatch(names);
  expect(events[0]?.body).toBe(sent.body.replace('{"note":"Zebulon"}', '{}'));

  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  const detail = await admin.call('getSession', { practiceId, sessionId });
  expect(detail.body).toMatchObject({ session: { scrubbedAt } });
  expect(JSON.stringify(detail.body)).not.toMatch(names);
  const proof = await admin.call('getEvidence', { practiceId, sessionId });
  expect(proof.body).toMatchObject({ patient, textMatchesAuthorizationId: true });
});

it('a practice erases every session of an invoice, and learns which have not ended', async () => {
  const order = { patient, metadata: { note: 'Zebulon' }, invoiceId: 'INV-forgotten' };
  const { sessionId: failed } = await service.pay('user_insufficient_funds', order);
  await service.client.sandbox.advance(failed);
  const { sessionId: stuck } = await service.pay('user_stuck', order);
  await expect
    .poll(() => service.client.sessions.erasePatientOfInvoice('INV-forgotten'))
    .toMatchObject({ erased: [{ sessionId: failed }], notEnded: [{ sessionId: stuck, sessionStatus: 'processing' }] });
  await service.client.sessions.cancel(stuck);
  // Expired, but not swept yet.
  const expired = aSession({
    practiceId: service.practice.practiceId,
    patient,
    invoiceId: 'INV-forgotten',
    sessionId: `ses_${ulid(Date.now(), randomBytes)}`,
    expiresAt: toIso(Date.now() - 1),
  });
  await insert(service.operated.database, 'sessions', { ...expired, ...listAttributes(expired) }, 'sessionId');
  const { erased, notEnded } = await service.client.sessions.erasePatientOfInvoice('INV-forgotten');
  expect([erased.map(({ sessionId }) => sessionId), notEnded]).toEqual([[expired.sessionId, stuck, failed], []]);
  expect(await service.client.sessions.get(stuck)).toHaveProperty('scrubbedAt');
});

it('an admin can erase in the dashboard, staff cannot', async () => {
  const { practiceId } = service.practice;
  const { sessionId } = await service.createSession({ patient });
  await service.client.sessions.cancel(sessionId);
  const staff = await dashboardUser(service, { practiceId, role: 'staff' });
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  expect(await staff.call('erasePatient', { practiceId, sessionId })).toMatchObject({
    status: 403,
    body: { code: 'role_too_low' },
  });
  expect(await admin.call('erasePatient', { practiceId, sessionId })).toMatchObject({ status: 200 });
  const { body } = await admin.call('listAuditLog', { practiceId });
  expect(JSON.stringify(body)).toContain('session.patient_erased');
});

it('the daily run removes what is older than the practice keeps it', async () => {
  const { practiceId } = service.practice;
  const settings = await runCommand(service.operated, 'update', { practice: practiceId, retentionMonths: '6' });
  expect(settings).toMatchObject({ retentionMonths: 6 });
  const at = addMonths(Date.now(), -6) - day;
  const stored = async (differences: Partial<Session>) => {
    const row = aSession({ practiceId, patient, sessionId: `ses_${ulid(at, randomBytes)}`, ...differences });
    await insert(service.operated.database, 'sessions', { ...row, ...listAttributes(row) }, 'sessionId');
    return row.sessionId;
  };
  const processing = await stored({ status: 'processing' });
  const failed = await stored({ status: 'failed', failedAt: toIso(at) });
  const { database } = service.operated;
  const { practiceId: other } = await createPractice(service.operated, { author, name: 'Other' }, Date.now());
  await runCommand(service.operated, 'update', { practice: other, retentionMonths: '6' });
  const ended = await stored({ practiceId: other, status: 'failed', failedAt: toIso(at) });

  await service.stack.fireSchedules();
  await expect
    .poll(() => service.client.sessions.get(failed))
    .toMatchObject({ scrubbedAt: expect.any(String) as string, metadata: {} });
  expect(await service.client.sessions.get(processing)).not.toHaveProperty('scrubbedAt');
  // The next run starts after the last session of a practice whose sessions all ended.
  await expect.poll(() => getPractice(database, other)).toHaveProperty('scrubbedTo', ended);
  expect(await getPractice(database, practiceId)).not.toHaveProperty('scrubbedTo');
});
