import { expect, it } from 'vitest';
import { foundSessions } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { receiptNumberOf } from '../../functions/domain/sessions/session.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';

const patient = { firstName: 'Zoë', lastName: 'Quackenbush' };

let service: TestPractice;
let practiceId: string;
let staff: DashboardUser;
let sessionId: string;

onStack.beforeAll(async ({ own }) => {
  service = own;
  ({ practiceId } = service.practice);
  staff = await dashboardUser(service, { practiceId, role: 'staff' });
  ({ sessionId } = await service.createSession({ patient, invoiceId: 'INV-77FIND' }));
});

async function idsFor(user: DashboardUser, body: object, of = practiceId): Promise<string[]> {
  const answer = await user.call('searchSessions', { practiceId: of }, body);
  expect(answer.status).toBe(200);
  return foundSessions.parse(answer.body).data.map((session) => session.sessionId);
}

it('staff find a session by name, invoice and receipt number, and see who created it', async () => {
  for (const text of ['zoe quack', 'Quackenbush', 'inv-77find', receiptNumberOf({ sessionId })])
    expect(await idsFor(staff, { text }), text).toEqual([sessionId]);
  expect(await idsFor(staff, { text: 'Quackenbush', outcome: ['failed'] })).toEqual([]);
  const detail = await staff.call('getSession', { practiceId, sessionId });
  expect(detail.body).toMatchObject({ createdBy: { kind: 'api_key', name: expect.any(String) as string } });

  const order = { invoiceId: 'INV-desk', amountCents: 100, patient };
  const created = await staff.call('createSession', { practiceId }, order);
  const own = await staff.call('getSession', { practiceId, sessionId: String(created.body['sessionId']) });
  expect(own.body).toMatchObject({ createdBy: { kind: 'user', email: expect.stringContaining('staff-') as string } });
});

it('a search by neither text nor IDs, or by both, is refused', async () => {
  for (const body of [{}, { outcome: ['failed'] }, { text: 'Quackenbush', sessionIds: [sessionId] }])
    expect(await staff.call('searchSessions', { practiceId }, body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '', detail: 'Send either `text` or `sessionIds`.' }] },
    });
  expect(await idsFor(staff, { sessionIds: [sessionId] })).toEqual([sessionId]);
});

it('a viewer finds no name, not even by trying, and no name is in what a viewer finds', async () => {
  const viewer = await dashboardUser(service, { practiceId, role: 'viewer' });
  expect(await idsFor(viewer, { text: 'Quackenbush' })).toEqual([]);
  const { body, text } = await viewer.call('searchSessions', { practiceId }, { text: 'INV-77FIND' });
  expect(foundSessions.parse(body).data).toMatchObject([{ sessionId }]);
  expect(text).not.toContain('Quackenbush');
});

it('a practice finds nothing of another, and a stranger may not search', async () => {
  const other = await createPractice(service.operated, { author, name: 'Other Practice' }, Date.now());
  const stranger = await dashboardUser(service, { practiceId: other.practiceId, role: 'admin' });
  for (const text of ['Quackenbush', 'INV-77FIND', receiptNumberOf({ sessionId }), sessionId])
    expect(await idsFor(stranger, { text }, other.practiceId), text).toEqual([]);
  expect(await stranger.call('searchSessions', { practiceId }, { text: 'Quackenbush' })).toMatchObject({ status: 404 });
});

it('once the patient is erased, the name finds nothing', async () => {
  const erased = { firstName: 'Zoë', lastName: 'Evermore' };
  const session = await service.createSession({ patient: erased });
  expect(await idsFor(staff, { text: 'evermore' })).toEqual([session.sessionId]);
  await service.client.sessions.cancel(session.sessionId);
  await service.client.sessions.erasePatient(session.sessionId);
  expect(await idsFor(staff, { text: 'evermore' })).toEqual([]);
});
