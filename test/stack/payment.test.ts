import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCheckedEvidence } from '../../functions/sessions/evidence.ts';
import { createPractice, updateSettings } from '../../functions/practices/settings.ts';
import { sessionView } from '../../functions/contract/patient-api.ts';
import { sessionStatusBody } from '../../functions/contract/practice-api.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

async function statusOf(sessionId: string) {
  const response = await checkedFetch(`${service.apiUrl}/api/practice/sessions/${sessionId}/status`, {
    headers: { authorization: `Bearer ${service.practice.apiKey}` },
  });
  return sessionStatusBody.parse(await response.json());
}

/** Connects a test bank user and authorizes; gives the view of each step. */
async function pay(hostedUrl: string, username = service.practice.username) {
  const patient = service.patient(hostedUrl);
  const connected = await patient('POST', '/bank-connection', { username, password: service.practice.password });
  const { authorization } = sessionView.parse(connected.body);
  const paid = await patient('POST', '/payment', { authorizationAccepted: true, authorizationId: authorization?.id });
  return { patient, connected, paid };
}

describe('a paid invoice', () => {
  it('goes from a session to a verified webhook, through HTTP only', async () => {
    const { sessionId, hostedUrl } = await service.createSession({
      invoiceId: 'INV-1043',
      metadata: { location: 'north' },
    });
    expect(hostedUrl).toMatch(new RegExp(`^${service.hostedUrl}/s/[\\w-]{43}$`));
    const patient = service.patient(hostedUrl);

    const first = await patient('GET', '');
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(sessionView.parse(first.body)).toMatchObject({
      status: 'pending',
      amountCents: 18_250,
      practice: { name: 'Lakeside Family Practice' },
      sandbox: true,
    });
    expect(await statusOf(sessionId), 'a GET opens nothing').not.toHaveProperty('openedAt');

    const opened = sessionView.parse((await patient('POST', '/open')).body);
    expect(Date.parse(opened.expiresAt) - Date.parse(opened.openedAt ?? '')).toBe(1_800_000);

    const { connected, paid } = await pay(hostedUrl);
    expect(sessionView.parse(connected.body)).toMatchObject({
      status: 'pending',
      bankAccount: { bankName: 'Sandbox Bank' },
      authorization: { text: expect.stringContaining('once, for $182.50') as string },
    });
    expect(paid.status).toBe(200);
    expect(sessionView.parse(paid.body)).toMatchObject({
      status: 'processing',
      receipt: { authorizationText: expect.any(String) as string },
    });

    const processing = await service.receiver.waitFor('session.payment.processing', sessionId);
    const succeeded = await service.receiver.waitFor('session.payment.succeeded', sessionId);
    expect(processing.event.data).toMatchObject({
      previousStatus: 'pending',
      sequence: 1,
      metadata: { location: 'north' },
    });
    expect(succeeded.event).toMatchObject({
      livemode: false,
      api_version: '2026-11-20',
      data: {
        invoiceId: 'INV-1043',
        amountCents: 18_250,
        status: 'succeeded',
        previousStatus: 'processing',
        sequence: 2,
      },
    });
    expect(succeeded.headers['webhook-id']).toBe(succeeded.event.id);
    expect(succeeded.body).not.toMatch(/Okafor/);
    expect(succeeded.event.created_at > processing.event.created_at).toBe(true);

    const status = await statusOf(sessionId);
    expect(status).toMatchObject({
      sessionId,
      invoiceId: 'INV-1043',
      status: 'succeeded',
      settledAt: succeeded.event.data.settledAt,
    });
    expect(sessionView.parse((await patient('GET', '')).body).status).toBe('succeeded');
  });

  it('is announced again five seconds after the receiver failed, under the same id', { timeout: 30_000 }, async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    service.receiver.answers.push(500);
    await pay(hostedUrl);
    const attempts = () =>
      service.receiver.received.filter(
        ({ event }) => event.data.sessionId === sessionId && event.type === 'session.payment.processing',
      );
    await expect.poll(() => attempts().length, { timeout: 15_000 }).toBe(2);
    const [first, second] = attempts();
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(5000);
  });

  it('is not paid a second time: a second button press and a second session are both refused', async () => {
    const invoiceId = 'INV-once';
    const [one, other] = [await service.createSession({ invoiceId }), await service.createSession({ invoiceId })];
    const { patient, connected } = await pay(one.hostedUrl);
    const again = await patient('POST', '/payment', {
      authorizationAccepted: true,
      authorizationId: sessionView.parse(connected.body).authorization?.id,
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'session_closed' } });
    expect((await pay(other.hostedUrl)).paid).toMatchObject({ status: 409, body: { code: 'payment_in_progress' } });
    await service.receiver.waitFor('session.payment.succeeded', one.sessionId);
    expect((await service.patient(other.hostedUrl)('GET', '')).body).toMatchObject({
      status: 'pending',
      blockedBy: 'invoice_already_paid',
    });
  });
});

describe('a practice that is renamed', () => {
  it('is called on the receipt as in the text that the patient accepted, and in a text of later as it then is', async () => {
    const {
      practiceId,
      apiKey,
      testBankCredentials = [],
    } = await createPractice(
      service.operated,
      { name: 'Lakeside Dental', supportPhone: '+1 555 010 0100' },
      Date.now(),
    );
    const signIn = { username: 'user_stuck', password: testBankCredentials[0]?.password };
    const { sessionId, hostedUrl } = await service.createSession({}, { authorization: `Bearer ${apiKey}` });
    const patient = service.patient(hostedUrl);
    await patient('POST', '/bank-connection', signIn);
    await updateSettings(service.operated, {
      practiceId,
      name: 'Hillside Dental',
      supportEmail: 'billing@hillside.example',
    });
    const renamed = sessionView.parse((await patient('POST', '/bank-connection', signIn)).body);
    expect(renamed.authorization?.text).toContain('I authorize Hillside Dental and');

    await updateSettings(service.operated, { practiceId, name: 'Seaside Dental', supportPhone: '+1 555 010 0199' });
    const paid = sessionView.parse(
      (await patient('POST', '/payment', { authorizationAccepted: true, authorizationId: renamed.authorization?.id }))
        .body,
    );
    expect(paid).toMatchObject({
      practice: { name: 'Seaside Dental' },
      receipt: { authorizationText: renamed.authorization?.text, statementText: 'HILLSIDE DENTAL' },
    });
    expect(paid.receipt?.practice).toEqual({
      name: 'Hillside Dental',
      supportPhone: '+1 555 010 0100',
      supportEmail: 'billing@hillside.example',
    });
    expect(await getCheckedEvidence(service.operated, { sessionId })).toMatchObject({
      text: renamed.authorization?.text,
      processorAccount: 'user_stuck',
    });
  });
});

describe('a patient who reads Spanish', () => {
  it('is offered the authorization in the language that the page asks for, and keeps the text that they accepted', async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    const [english, spanish] = [service.patient(hostedUrl, 'en'), service.patient(hostedUrl, 'es')];
    expect((await english('GET', '')).body['patient']).toEqual({ firstName: 'Ada', lastNameInitial: 'O' });

    const connected = sessionView.parse(
      (await spanish('POST', '/bank-connection', { username: 'user_good', password: service.practice.password })).body,
    );
    expect(connected).toMatchObject({
      patient: { lastName: 'Okafor' },
      authorization: { locale: 'es', text: expect.stringContaining('una sola vez, la cantidad de $182.50') as string },
    });
    expect(sessionView.parse((await english('GET', '')).body).authorization).toMatchObject({
      locale: 'en',
      text: expect.stringContaining('once, for $182.50') as string,
    });

    // The page was switched to English while the Spanish text was on the screen.
    const { id = '', text } = connected.authorization ?? {};
    const paid = sessionView.parse(
      (await english('POST', '/payment', { authorizationAccepted: true, authorizationId: id })).body,
    );
    expect(paid.receipt).toMatchObject({
      authorizationText: text,
      authorizationLocale: 'es',
      statementText: 'LAKESIDE FAMILY',
      expectedDebitDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
    });
    expect(paid.authorization).toBeUndefined();
    const evidence = await getCheckedEvidence(service.operated, { sessionId });
    expect(evidence).toMatchObject({
      authorizationId: id,
      text,
      locale: 'es',
      templateVersion: '2026-11-20.2.es',
      patient: { firstName: 'Ada', lastName: 'Okafor' },
      processorAccount: 'user_good',
      textMatchesAuthorizationId: true,
    });
  });
});

describe('a payment that does not work out', () => {
  it.each([
    ['user_insufficient_funds', 'insufficient_funds', 'R01'],
    ['user_account_closed', 'account_closed', 'R02'],
    ['user_processor_error', 'processor_error', undefined],
  ])('of %s fails with %s', async (username, code, achReturnCode) => {
    const { sessionId, hostedUrl } = await service.createSession();
    await pay(hostedUrl, username);
    const { event } = await service.receiver.waitFor('session.payment.failed', sessionId);
    expect(event.data.failure).toMatchObject({ code, ...(achReturnCode && { achReturnCode }) });
    expect((await statusOf(sessionId)).failure?.code).toBe(code);
  });

  it('is returned after it succeeded for user_late_return, and its invoice can be paid again', async () => {
    const { sessionId, hostedUrl } = await service.createSession({ invoiceId: 'INV-returned' });
    await pay(hostedUrl, 'user_late_return');
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    const { event } = await service.receiver.waitFor('session.payment.returned', sessionId);
    expect(event.data).toMatchObject({ status: 'succeeded', sequence: 3, return: { achReturnCode: 'R01' } });
    const retry = await service.createSession({ invoiceId: 'INV-returned' });
    expect((await pay(retry.hostedUrl)).paid.status).toBe(200);
  });

  it('never begins where the bank sign-in fails: five attempts, then locked; a bank that is down costs none', async () => {
    const patient = service.patient((await service.createSession()).hostedUrl);
    expect(
      await patient('POST', '/bank-connection', { username: 'user_bank_down', password: service.practice.password }),
    ).toMatchObject({ status: 503, body: { code: 'bank_unavailable' } });
    for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
      expect(
        await patient('POST', '/bank-connection', { username: 'user_bad', password: service.practice.password }),
      ).toMatchObject({ status: 422, body: { code: 'bank_connection_failed', attemptsRemaining } });
    }
    expect(
      await patient('POST', '/bank-connection', { username: 'user_good', password: service.practice.password }),
    ).toMatchObject({ status: 423, body: { code: 'bank_connection_locked' } });
    expect((await patient('GET', '')).body).toMatchObject({ status: 'pending', bankConnectionAttemptsRemaining: 0 });
  });

  it('cannot be authorized before a bank is connected, or for another text', async () => {
    const patient = service.patient((await service.createSession()).hostedUrl);
    expect(await patient('POST', '/payment', { authorizationAccepted: true, authorizationId: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'bank_not_connected' },
    });
    await patient('POST', '/bank-connection', { username: 'user_good', password: service.practice.password });
    expect(await patient('POST', '/payment', { authorizationAccepted: true, authorizationId: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'authorization_changed' },
    });
  });
});

describe('a link', () => {
  it('that is not known is 404 for the patient API, in words and without a trace of the token', async () => {
    const { status, body } = await service.patient(`${service.hostedUrl}/s/${'A'.repeat(43)}`)('GET', '');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'link_not_found' });
    expect(JSON.stringify(body)).not.toContain('AAAA');
  });

  it('opens the page under strict headers, and no third party', async () => {
    const { hostedUrl } = await service.createSession();
    const response = await fetch(hostedUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('strict-transport-security')).toContain('max-age=');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
  });
});
