import { describe, expect, it } from 'vitest';
import { getCheckedEvidence } from '../../functions/payments/proof.ts';
import type { TestUser } from '../../web/client/index.ts';
import { author, createPractice } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

const outcomes = [
  { as: 'user_good', steps: 'processing, succeeded', answer: { status: 'succeeded' } },
  {
    as: 'user_insufficient_funds',
    steps: 'processing, failed',
    answer: { status: 'failed', failure: { code: 'insufficient_funds', achReturnCode: 'R01' } },
  },
  {
    as: 'user_processor_error',
    steps: 'processing, failed',
    answer: { status: 'failed', failure: { code: 'processor_error' } },
  },
  { as: 'user_stuck', steps: 'processing', answer: { status: 'processing' } },
  { as: 'user_late_return', steps: 'processing, succeeded', answer: { status: 'succeeded' } },
  { as: 'user_bad', steps: '', answer: { status: 'pending' } },
  { as: 'user_bank_down', steps: '', answer: { status: 'pending' } },
  { as: 'expire', steps: 'cancelled', answer: { status: 'cancelled', cancellation: { reason: 'expired' } } },
] as const;
const noOutcome = { status: 409, code: 'no_outcome_pending' };

const statusOf = (sessionId: string) => service.client.sessions.get(sessionId);
const simulate = (sessionId: string, as: TestUser | 'expire') => service.client.sandbox.simulate(sessionId, as);
const advance = (sessionId: string) => service.client.sandbox.advance(sessionId);

const steps = (sessionId: string) => service.receiver.stepsOf(sessionId).join(', ');

describe('a simulation', () => {
  it.each(outcomes)('as $as sends: $steps', async ({ as, steps: expected, answer }) => {
    const { sessionId } = await service.createSession();
    const simulated = await simulate(sessionId, as);
    expect(simulated).toMatchObject({ sessionId, ...answer });
    expect(await statusOf(sessionId)).toEqual(simulated);
    await expect.poll(() => steps(sessionId)).toBe(expected);
  });

  it('of user_late_return settles, and its return is the next outcome', async () => {
    const { sessionId } = await service.createSession();
    await simulate(sessionId, 'user_late_return');
    const [first, second] = await Promise.allSettled([advance(sessionId), advance(sessionId)]);
    expect([first, second]).toContainEqual(
      expect.objectContaining({ value: expect.objectContaining({ return: expect.anything() as unknown }) as unknown }),
    );
    for (const each of [first, second]) if (each.status === 'rejected') expect(each.reason).toMatchObject(noOutcome);
    await expect(advance(sessionId)).rejects.toMatchObject(noOutcome);
    await service.receiver.waitFor('session.payment.returned', sessionId);
    await expect.poll(() => steps(sessionId)).toBe('processing, succeeded, returned');
  });

  it('is accepted once', async () => {
    const { sessionId } = await service.createSession();
    const answers = await Promise.allSettled([1, 2, 3].map(() => simulate(sessionId, 'user_good')));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 409 });
    await expect(simulate(sessionId, 'expire')).rejects.toMatchObject({
      status: 409,
      code: 'session_not_pending',
      sessionStatus: 'succeeded',
    });
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await expect.poll(() => steps(sessionId)).toBe('processing, succeeded');
  });

  it('is refused for an invoice that is being paid or is paid, and leaves the session alone', async () => {
    const invoiceId = 'INV-simulated';
    const [paying, other] = [await service.createSession({ invoiceId }), await service.createSession({ invoiceId })];
    await simulate(paying.sessionId, 'user_stuck');
    await expect(simulate(other.sessionId, 'user_good')).rejects.toMatchObject({
      status: 409,
      code: 'payment_in_progress',
    });
    await service.client.sessions.cancel(paying.sessionId);
    const paid = await service.createSession({ invoiceId });
    expect(await simulate(paid.sessionId, 'user_good')).toMatchObject({ status: 'succeeded' });
    await expect(simulate(other.sessionId, 'user_good')).rejects.toMatchObject({
      status: 409,
      code: 'invoice_already_paid',
    });
    const untouched = await statusOf(other.sessionId);
    expect(untouched).toMatchObject({ status: 'pending' });
    expect(untouched).not.toHaveProperty('openedAt');
  });

  it("uses up the link's sign-ins as user_bad, but not as expire", async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    for (let attempt = 0; attempt < 5; attempt += 1) await simulate(sessionId, 'user_bad');
    expect((await patientOf(hostedUrl).view()).body).toMatchObject({ bankConnectionAttemptsRemaining: 0 });
    await expect(simulate(sessionId, 'user_good')).rejects.toMatchObject({
      status: 423,
      code: 'bank_connection_locked',
    });
    await expect(simulate(sessionId, 'user_good')).rejects.toThrow('Create another session.');
    expect(await simulate(sessionId, 'expire')).toMatchObject({ status: 'cancelled' });
  });

  it('as expire ends the session now', async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    const before = Date.now();
    const { expiresAt, cancelledAt } = await simulate(sessionId, 'expire');
    expect(cancelledAt).toBe(expiresAt);
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now());
    expect((await patientOf(hostedUrl).view()).body).toMatchObject({ cancellation: { reason: 'expired' } });
  });

  it('leaves evidence that says so', async () => {
    const { sessionId } = await service.createSession();
    await simulate(sessionId, 'user_stuck');
    expect(await getCheckedEvidence(service.operated, { sessionId })).toMatchObject({
      simulated: true,
      textMatchesAuthorizationId: true,
      userAgent: expect.stringContaining('node') as string,
    });
    const byHand = await service.pay('user_stuck');
    expect(await getCheckedEvidence(service.operated, byHand)).not.toHaveProperty('simulated');
  });

  it("works only for the practice's own sessions and for known test users", async () => {
    const { sessionId } = await service.createSession();
    await expect(simulate(sessionId, 'somebody' as TestUser)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '/as' }],
    });
    const { apiKey } = await createPractice(service.operated, { author, name: 'Other Practice' }, Date.now());
    const { sandbox } = service.clientOf(apiKey);
    const notFound = { status: 404, code: 'session_not_found' };
    await expect(sandbox.simulate(sessionId, 'user_good')).rejects.toMatchObject(notFound);
    await expect(sandbox.advance(sessionId)).rejects.toMatchObject(notFound);
  });
});

describe('advancing', () => {
  it("performs the first outcome of a patient's payment", async () => {
    const { sessionId } = await service.pay('user_good');
    expect(await advance(sessionId)).toMatchObject({ status: 'succeeded' });
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await expect(advance(sessionId)).rejects.toMatchObject(noOutcome);
  });

  it('settles a payment that is too late to cancel, so that its invoice is not blocked forever', async () => {
    const { sessionId } = await service.createSession();
    expect(await simulate(sessionId, 'user_sent')).toMatchObject({ status: 'processing' });
    await expect(service.client.sessions.cancel(sessionId)).rejects.toMatchObject({ code: 'payment_not_voidable' });
    expect(await advance(sessionId)).toMatchObject({ status: 'succeeded' });
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await expect(advance(sessionId)).rejects.toMatchObject(noOutcome);
  });

  it('is refused if no outcome will come', async () => {
    const { sessionId } = await service.createSession();
    await expect(advance(sessionId)).rejects.toMatchObject(noOutcome);
    await simulate(sessionId, 'user_stuck');
    await expect(advance(sessionId)).rejects.toMatchObject(noOutcome);
    expect(await statusOf(sessionId)).toMatchObject({ status: 'processing' });
  });
});
