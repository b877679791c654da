import { expect, it } from 'vitest';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { runCommand } from '../support/run-command.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

const run = (name: string) =>
  runCommand<Record<string, unknown>>(service.operated, name, { practice: service.practice.practiceId });
const refused = { status: 403, body: { code: 'practice_suspended' } };

it('a suspended practice gets no new payments, and everything in flight continues', async () => {
  const { password } = service.practice;
  const connected = await service.connect('user_good');
  const owed = await service.connect('user_bad');
  const stuck = await service.pay('user_stuck');
  const createAgain = () => service.createSession({ invoiceId: 'INV-again' }, { idempotencyKey: 'again' });
  const simulated = await createAgain();
  const paying = await service.pay('user_good');

  expect(await run('suspend')).toMatchObject({ status: 'suspended' });
  expect(await run('show')).toHaveProperty('suspendedAt');
  await expect(service.createSession()).rejects.toMatchObject({ status: 403, code: 'practice_suspended' });
  expect(await createAgain()).toEqual(simulated);
  expect(await owed.patient.connectBank('user_good', password)).toMatchObject(refused);
  expect(await connected.patient.authorize()).toMatchObject(refused);
  expect((await connected.patient.view()).body).toMatchObject({ status: 'pending', blockedBy: 'practice_suspended' });
  await expect(service.client.sandbox.simulate(simulated.sessionId, 'user_good')).rejects.toMatchObject({
    code: 'practice_suspended',
  });

  await service.receiver.waitFor('session.payment.succeeded', paying.sessionId);
  expect((await paying.patient.view()).body).toMatchObject({ status: 'succeeded', receipt: {} });
  await service.client.sessions.cancel(stuck.sessionId);
  await service.receiver.waitFor('session.payment.cancelled', stuck.sessionId);
  expect((await service.client.sessions.listPage()).data).toHaveLength(5);

  expect(await run('resume')).toEqual({ practiceId: service.practice.practiceId, status: 'active' });
  expect((await connected.patient.view()).body).not.toHaveProperty('blockedBy');
  expect(await connected.patient.authorize()).toMatchObject({ status: 200, body: { status: 'processing' } });
});
