import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCheckedEvidence } from '../../functions/sessions/evidence.ts';
import { sessionView } from '../../functions/contract/patient-api.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

type Step = 'processing' | 'succeeded' | 'failed' | 'cancelled' | 'returned';

async function connect(username: string, invoiceId?: string) {
  const { sessionId, hostedUrl } = await service.createSession(invoiceId === undefined ? {} : { invoiceId });
  const patient = service.patient(hostedUrl);
  const connection = await patient('POST', '/bank-connection', { username, password: service.practice.password });
  return { sessionId, patient, connection };
}

async function pay(username: string, invoiceId?: string) {
  const { sessionId, patient, connection } = await connect(username, invoiceId);
  const { authorization } = sessionView.parse(connection.body);
  const payment = await patient('POST', '/payment', {
    authorizationAccepted: true,
    authorizationId: authorization?.id,
  });
  return { sessionId, patient, payment };
}

/** The steps that a session's webhooks have told, in the order of their sequence. */
function steps(sessionId: string): Step[] {
  return service.receiver.received
    .filter(({ event }) => event.data.sessionId === sessionId)
    .sort((left, right) => left.event.data.sequence - right.event.data.sequence)
    .map(({ event }) => event.type.replace('session.payment.', '') as Step);
}

async function viewOf(patient: Awaited<ReturnType<typeof pay>>['patient']) {
  return sessionView.parse((await patient('GET', '')).body);
}

const ends = [
  ['user_good', ['processing', 'succeeded'], { status: 'succeeded' }],
  [
    'user_insufficient_funds',
    ['processing', 'failed'],
    { status: 'failed', failure: { code: 'insufficient_funds', achReturnCode: 'R01' } },
  ],
  [
    'user_account_closed',
    ['processing', 'failed'],
    { status: 'failed', failure: { code: 'account_closed', achReturnCode: 'R02' } },
  ],
  ['user_declined', ['processing', 'failed'], { status: 'failed', failure: { code: 'bank_declined' } }],
  ['user_processor_error', ['processing', 'failed'], { status: 'failed', failure: { code: 'processor_error' } }],
  [
    'user_late_return',
    ['processing', 'succeeded', 'returned'],
    { status: 'succeeded', return: { code: 'insufficient_funds', achReturnCode: 'R01' } },
  ],
  ['user_stuck', ['processing'], { status: 'processing' }],
  ['user_sent', ['processing'], { status: 'processing' }],
] as const;

describe('each test bank user', () => {
  it('comes to its end, and to no other', { timeout: 40_000 }, async () => {
    const payments = await Promise.all(ends.map(([username]) => pay(username)));
    await expect
      .poll(() => payments.map(({ sessionId }) => steps(sessionId)), { timeout: 20_000 })
      .toEqual(ends.map(([, expected]) => expected));
    for (const [index, { patient, payment }] of payments.entries()) {
      expect(payment.status).toBe(200);
      expect(await viewOf(patient), ends[index]?.[0]).toMatchObject({ ...ends[index]?.[2] });
    }
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(
      payments.map(({ sessionId }) => steps(sessionId)),
      'nothing more, ever',
    ).toEqual(ends.map(([, expected]) => expected));
  });

  it('that cannot connect leaves the session pending and tells no webhook', async () => {
    const bad = await connect('user_bad');
    expect(bad.connection).toMatchObject({
      status: 422,
      body: { code: 'bank_connection_failed', attemptsRemaining: 4 },
    });
    const down = await connect('user_bank_down');
    expect(down.connection).toMatchObject({ status: 503, body: { code: 'bank_unavailable' } });
    expect(await viewOf(down.patient)).toMatchObject({ status: 'pending', bankConnectionAttemptsRemaining: 5 });
    const unknown = await connect('somebody');
    expect(unknown.connection).toMatchObject({ status: 422 });
    for (const { sessionId } of [bad, down, unknown]) expect(steps(sessionId)).toEqual([]);
  });

  it('may be replaced by another before the payment, and the authorization with it', async () => {
    const { patient, connection } = await connect('user_stuck');
    const first = sessionView.parse(connection.body);
    const second = sessionView.parse(
      (await patient('POST', '/bank-connection', { username: 'user_good', password: service.practice.password })).body,
    );
    expect(second.bankAccount).not.toEqual(first.bankAccount);
    expect(
      await patient('POST', '/payment', { authorizationAccepted: true, authorizationId: first.authorization?.id }),
    ).toMatchObject({ status: 409, body: { code: 'authorization_changed' } });
    expect(
      await patient('POST', '/payment', { authorizationAccepted: true, authorizationId: second.authorization?.id }),
    ).toMatchObject({ status: 200 });
  });
});

describe('the invoice', () => {
  it('can be paid again after a failure and after a return', async () => {
    const first = await Promise.all(
      ['user_insufficient_funds', 'user_late_return'].map((username) => pay(username, `INV-again-${username}`)),
    );
    await expect
      .poll(() => first.map(({ sessionId }) => steps(sessionId).at(-1)), { timeout: 15_000 })
      .toEqual(['failed', 'returned']);
    for (const username of ['user_insufficient_funds', 'user_late_return'])
      expect((await pay('user_good', `INV-again-${username}`)).payment.status).toBe(200);
  });

  it('is paid once by many sessions that are authorized at once', async () => {
    const invoiceId = 'INV-many';
    const connected = await Promise.all(Array.from({ length: 6 }, () => connect('user_good', invoiceId)));
    const answers = await Promise.all(
      connected.map(({ patient, connection }) =>
        patient('POST', '/payment', {
          authorizationAccepted: true,
          authorizationId: sessionView.parse(connection.body).authorization?.id,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(['payment_in_progress', 'invoice_already_paid']).toContain(body['code']);
  });
});

describe('the evidence', () => {
  it('is complete, and its text has the hash that was accepted', async () => {
    const { sessionId } = await pay('user_stuck', 'INV-evidence');
    const evidence = await getCheckedEvidence(service.operated, { sessionId });
    expect(evidence).toMatchObject({
      sessionId,
      practiceId: service.practice.practiceId,
      invoiceId: 'INV-evidence',
      amountCents: 18_250,
      locale: 'en',
      textMatchesAuthorizationId: true,
      bankAccount: { bankName: 'Sandbox Bank', accountType: 'checking' },
      sourceAddress: expect.stringMatching(/\d/) as string,
      viewerAddress: '127.0.0.1',
      userAgent: expect.stringContaining('node') as string,
    });
    expect(evidence.authorizationId).toBe(sha256(evidence.text));
    expect(evidence.templateVersion).not.toBe('');
    expect(Date.now() - Date.parse(evidence.authorizedAt)).toBeLessThan(20_000);
  });

  it('exists only where a debit was authorized', async () => {
    const { sessionId } = await connect('user_good');
    await expect(getCheckedEvidence(service.operated, { sessionId })).rejects.toThrow('No debit was authorized');
  });
});
