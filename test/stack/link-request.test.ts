import { expect, it, vi } from 'vitest';
import { getMember } from '../../functions/store/team/members.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import { startReceiver } from '../support/receiver.ts';
import { runCommand } from '../support/run-command.ts';
import { patience } from '../support/until.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

it('a patient with an expired link asks for a new one, and the practice learns of it once: on Home, by email and by the webhook that it chose', async () => {
  const { practiceId, endpointId } = service.practice;
  const staff = await dashboardUser(service, { practiceId, role: 'staff' });
  const member = await getMember(service.operated.database, { practiceId, userId: staff.userId });
  await staff.call('changeMailTopics', { practiceId }, { mailTopics: ['link_requested'] });
  const chosen = await startReceiver();
  const type = 'session.payment.link_requested';
  const added = await runCommand<Record<'endpointId' | 'signingSecret', string>>(service.operated, 'add-webhook', {
    practice: practiceId,
    url: chosen.url,
    events: type,
  });
  chosen.secret = added.signingSecret;

  const { sessionId, hostedUrl } = await service.createSession({ metadata: { location: 'north' } });
  const patient = patientOf(hostedUrl);
  expect(await patient.requestLink()).toMatchObject({ status: 409, body: { code: 'session_not_ended' } });
  await service.client.sandbox.simulate(sessionId, 'expire');
  expect((await patient.view()).body).toMatchObject({ status: 'cancelled', linkRequest: 'possible' });
  const before = await service.client.sessions.get(sessionId);
  for (let taps = 0; taps < 2; taps += 1)
    expect(await patient.requestLink()).toMatchObject({ status: 200, body: { linkRequest: 'made' } });
  expect((await patient.view()).body).toMatchObject({ status: 'cancelled', linkRequest: 'made' });
  expect(await service.client.sessions.get(sessionId)).toEqual(before);

  const { body } = await chosen.waitFor(type, sessionId);
  expect(body).not.toMatch(/Ada|Okafor/);
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
  const ids = { practiceId, sessionId };
  const eventsOf = async () => (await staff.call('getSession', ids)).body['events'] as Record<string, unknown>[];
  const deliveriesTo = (id: string) => [expect.objectContaining({ endpointId: id })];
  await vi.waitFor(
    async () =>
      expect(await eventsOf()).toMatchObject([
        { type: 'session.payment.cancelled', deliveries: deliveriesTo(endpointId) },
        { type, isSending: false, deliveries: deliveriesTo(added.endpointId) },
      ]),
    patience,
  );
  const alerts = async () => (await staff.call('getAlerts', { practiceId })).body['linkRequests'];
  await vi.waitFor(async () => expect(await alerts()).toMatchObject([{ sessionId, status: 'cancelled' }]), patience);
  const mails = () => service.mails.filter(({ text }) => text.includes(`/${practiceId}/sessions/${sessionId}`));
  await vi.waitFor(() => expect(mails().map(({ to }) => to)).toContain(member?.email), patience);
  expect(mails().filter(({ to }) => to === member?.email)).toHaveLength(1);
  expect(mails()[0]?.text).not.toMatch(/INV|Ada|Okafor/);

  await service.createSession({ invoiceId: before.invoiceId });
  await vi.waitFor(async () => expect(await alerts()).toEqual([]), patience);
  await chosen.stop();
});
