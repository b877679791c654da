import { describe, expect, it, vi } from 'vitest';
import { ticketGrace } from '../../functions/domain/due.ts';
import { sessionView } from '../../functions/contract/sessions/session-view.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { updateSettings } from '../../functions/practices/settings.ts';
import { getCheckedEvidence } from '../../functions/payments/proof.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { readTables } from '../support/table-contents.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf, type Answer } from '../support/patient.ts';
import { databaseOf } from '../support/tables.ts';
import { patience } from '../support/until.ts';
import { endNow } from './stranded.ts';

let service: TestPractice;
let announcing: ReturnType<typeof announcedTwice>;
onStack.beforeAll(({ own }) => {
  service = own;
  // It mostly waits, so other tests run in the meantime.
  announcing = announcedTwice();
  announcing.catch(() => {});
});

/** The two webhooks of a payment whose receiver fails at first. */
async function announcedTwice() {
  const { sessionId, patient } = await service.connect('user_good');
  service.receiver.failOnce(sessionId);
  await patient.authorize();
  const attempts = () =>
    service.receiver.received.filter(
      ({ event }) => event.data.sessionId === sessionId && event.type === 'session.payment.processing',
    );
  return vi.waitUntil(() => attempts().length === 2 && attempts(), patience);
}

const statusOf = (sessionId: string) => service.client.sessions.get(sessionId);

const viewIn = ({ body }: Answer) => sessionView.parse(body);

describe('a payment', () => {
  it('goes from a new session to a verified webhook, through HTTP only', async () => {
    const { sessionId, hostedUrl } = await service.createSession({
      invoiceId: 'INV-1043',
      metadata: { location: 'north' },
    });
    expect(hostedUrl).toMatch(new RegExp(`^${service.hostedUrl}/s/[\\w-]{43}$`));
    const patient = patientOf(hostedUrl);

    const first = await patient.view();
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(viewIn(first)).toMatchObject({
      status: 'pending',
      amountCents: 18_250,
      practice: { name: 'Lakeside Family Practice' },
      sandbox: true,
    });
    expect(await statusOf(sessionId), 'a GET opens nothing').not.toHaveProperty('openedAt');

    const opened = viewIn(await patient.open());
    expect(Date.parse(opened.expiresAt) - Date.parse(opened.openedAt ?? '')).toBe(1_800_000);

    expect(viewIn(await patient.connectBank('user_good', service.practice.password))).toMatchObject({
      status: 'pending',
      bankAccount: { bankName: 'Sandbox Bank' },
      authorization: { text: expect.stringContaining('once, for $182.50') as string },
    });
    const paid = await patient.authorize();
    expect(paid.status).toBe(200);
    expect(viewIn(paid)).toMatchObject({
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
      practiceId: service.practice.practiceId,
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

    expect(await statusOf(sessionId)).toMatchObject({
      sessionId,
      invoiceId: 'INV-1043',
      status: 'succeeded',
      settledAt: succeeded.event.data.settledAt,
    });
    expect(viewIn(await patient.view()).status).toBe('succeeded');
  });

  it('is refused a second time, for the same session and for another of the invoice', async () => {
    const one = await service.pay('user_stuck', { invoiceId: 'INV-once' });
    expect(await one.patient.authorize()).toMatchObject({ status: 409, body: { code: 'session_closed' } });
    const other = await service.pay('user_good', { invoiceId: 'INV-once' });
    expect(other.payment).toMatchObject({ status: 409, body: { code: 'payment_in_progress' } });
    await service.client.sessions.cancel(one.sessionId);
    const paid = await service.pay('user_good', { invoiceId: 'INV-once' });
    await service.client.sandbox.advance(paid.sessionId);
    expect((await other.patient.view()).body).toMatchObject({ status: 'pending', blockedBy: 'invoice_already_paid' });
  });

  it('is refused once the practice has cancelled, and after its time has ended', async () => {
    const [cancelled, late] = [await service.connect('user_good'), await service.connect('user_good')];
    await service.client.sessions.cancel(cancelled.sessionId);
    await endNow(databaseOf(service.stack), late.sessionId);
    expect(await cancelled.patient.authorize()).toMatchObject({ body: { code: 'session_closed' } });
    expect(await late.patient.authorize()).toMatchObject({ body: { code: 'session_expired' } });
    for (const { sessionId } of [cancelled, late])
      expect(service.receiver.stepsOf(sessionId)).not.toContain('processing');
  });

  it('is refused before a bank is connected, and for another text', async () => {
    const patient = patientOf((await service.createSession()).hostedUrl);
    expect(await patient.authorize('x')).toMatchObject({ status: 409, body: { code: 'bank_not_connected' } });
    await patient.connectBank('user_good', service.practice.password);
    expect(await patient.authorize('x')).toMatchObject({ status: 409, body: { code: 'authorization_changed' } });
  });
});

describe('an authorization', () => {
  it('names the practice as it was when the text was made', async () => {
    const settings = { name: 'Lakeside Dental', supportPhone: '+1 555 010 0100' };
    const { practiceId, apiKey, ...created } = await createPractice(
      service.operated,
      { ...settings, author },
      Date.now(),
    );
    const password = created.testBankCredentials?.[0]?.password ?? '';
    const { sessionId, hostedUrl } = await service.createSession({}, { apiKey });
    const patient = patientOf(hostedUrl);
    await patient.connectBank('user_stuck', password);
    const contact = { supportEmail: 'billing@hillside.example' };
    await updateSettings(service.operated, { author, practiceId, name: 'Hillside Dental', ...contact }, Date.now());
    const { authorization } = viewIn(await patient.connectBank('user_stuck', password));
    expect(authorization?.text).toContain('I, Ada Okafor, authorize Hillside Dental and');

    await updateSettings(
      service.operated,
      { author, practiceId, name: 'Seaside Dental', supportPhone: '+1 555 010 0199' },
      Date.now(),
    );
    const paid = viewIn(await patient.authorize());
    expect(paid).toMatchObject({
      practice: { name: 'Seaside Dental' },
      receipt: { authorizationText: authorization?.text, statementText: 'HILLSIDE DENTAL' },
    });
    expect(paid.receipt?.practice).toEqual({ name: 'Hillside Dental', supportPhone: '+1 555 010 0100', ...contact });
    expect(await getCheckedEvidence(service.operated, { sessionId })).toMatchObject({
      text: authorization?.text,
      processorAccount: 'user_stuck',
    });
  });

  it('names whoever pays, beside the patient', async () => {
    const { sessionId, patient, connection } = await service.connect('user_stuck');
    const before = viewIn(connection);
    expect(before).toMatchObject({ payerName: 'Ada Okafor' });
    const named = viewIn(await patient.namePayer('Grace Okafor'));
    expect(named).toMatchObject({
      payerName: 'Grace Okafor',
      patient: { firstName: 'Ada' },
      authorization: { text: expect.stringContaining('I, Grace Okafor, authorize') as string },
    });
    const old = await patient.authorize(before.authorization?.id);
    expect(old).toMatchObject({ status: 409, body: { code: 'authorization_changed' } });
    expect(await patient.namePayer('4242 4242 4242 4242')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ code: 'sensitive_data' }] },
    });
    const paid = viewIn(await patient.authorize(named.authorization?.id));
    expect(paid.receipt).toMatchObject({ payerName: 'Grace Okafor', authorizationText: named.authorization?.text });
    expect(await patient.namePayer('Zoë Okafor')).toMatchObject({ status: 409, body: { code: 'session_closed' } });
    expect(paid.patient).toEqual({ firstName: 'Ada', lastNameInitial: 'O', lastName: 'Okafor' });
    expect(await getCheckedEvidence(service.operated, { sessionId })).toMatchObject({
      payerName: 'Grace Okafor',
      patient: { firstName: 'Ada', lastName: 'Okafor' },
      textMatchesAuthorizationId: true,
    });
    expect(JSON.stringify(await statusOf(sessionId))).not.toContain('Grace');
  });

  it("is in the page's language, and keeps the language that was accepted", async () => {
    const { sessionId, hostedUrl } = await service.createSession();
    const [english, spanish] = [patientOf(hostedUrl, 'en'), patientOf(hostedUrl, 'es')];
    expect((await english.view()).body['patient']).toEqual({ firstName: 'Ada', lastNameInitial: 'O' });

    const connected = viewIn(await spanish.connectBank('user_good', service.practice.password));
    expect(connected).toMatchObject({
      patient: { lastName: 'Okafor' },
      authorization: { locale: 'es', text: expect.stringContaining('una sola vez, la cantidad de $182.50') as string },
    });
    expect(viewIn(await english.view()).authorization).toMatchObject({
      locale: 'en',
      text: expect.stringContaining('once, for $182.50') as string,
    });

    // The page switched to English while it showed the Spanish text.
    const { id = '', text } = connected.authorization ?? {};
    const paid = viewIn(await english.authorize(id));
    expect(paid.receipt).toMatchObject({
      authorizationText: text,
      authorizationLocale: 'es',
      statementText: 'LAKESIDE FAMILY',
    });
    expect(paid.expectedDebitDate).toBe(connected.expectedDebitDate);
    expect(paid.authorization).toBeUndefined();
    expect(await getCheckedEvidence(service.operated, { sessionId })).toMatchObject({
      authorizationId: id,
      text,
      locale: 'es',
      templateVersion: '2026-11-25.1.es',
      patient: { firstName: 'Ada', lastName: 'Okafor' },
      processorAccount: 'user_good',
      textMatchesAuthorizationId: true,
    });
  });
});

describe('a copy by mail', () => {
  it('is emailed once to the address, which is not kept anywhere', async () => {
    const { patient, connection } = await service.connect('user_stuck');
    const email = `${crypto.randomUUID()}@patients.example`;
    expect(await patient.mailCopy(email)).toMatchObject({ status: 404, body: { code: 'authorization_not_found' } });
    await patient.authorize();
    expect(await patient.mailCopy('nobody')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await patient.mailCopy(email)).toMatchObject({ status: 200, body: {} });
    expect(await patient.mailCopy(email)).toMatchObject({ status: 409, body: { code: 'copy_already_mailed' } });
    const mails = service.mails.filter(({ to }) => to === email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Copy of your payment authorization for Lakeside Family Practice');
    expect(mails[0]?.text).toContain(viewIn(connection).authorization?.text);
    expect(JSON.stringify(await readTables(service.stack))).not.toContain(email);
  });
});

describe('the bank sign-in', () => {
  it('locks after five failures; a bank that is down costs no attempt', async () => {
    const { password } = service.practice;
    const { patient, connection } = await service.connect('user_bank_down');
    expect(connection).toMatchObject({ status: 503, body: { code: 'bank_unavailable' } });
    for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
      expect(await patient.connectBank('user_bad', password)).toMatchObject({
        status: 422,
        body: { code: 'bank_connection_failed', attemptsRemaining },
      });
    }
    expect(await patient.connectBank('user_good', password)).toMatchObject({
      status: 423,
      body: { code: 'bank_connection_locked' },
    });
    expect((await patient.view()).body).toMatchObject({ status: 'pending', bankConnectionAttemptsRemaining: 0 });
  });
});

describe('a link', () => {
  it('that is unknown gets 404, and the answer does not repeat its token', async () => {
    const { status, body } = await patientOf(`${service.hostedUrl}/s/${'A'.repeat(43)}`).view();
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'link_not_found' });
    expect(JSON.stringify(body)).not.toContain('AAAA');
  });

  it('opens a page that the browser keeps, and asks about before it shows it again', async () => {
    const { hostedUrl } = await service.createSession();
    const first = await fetch(hostedUrl);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await fetch(hostedUrl, { headers })).status).toBe(304);
    expect((await fetch(`${hostedUrl}?lang=es`, { headers })).status).toBe(200);
  });

  it('opens the page under strict headers, without any third party', async () => {
    const { hostedUrl } = await service.createSession();
    const response = await fetch(hostedUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(await response.text())?.[1];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('strict-transport-security')).toContain('max-age=');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
  });
});

it('a payment is announced again five seconds after the receiver fails, under the same id', async () => {
  const [first, second] = await announcing;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(5000);
});

it('a payment and its webhooks do not wait for the sweep', async () => {
  const isQuick = async () => {
    const { sessionId } = await service.pay('user_good');
    const arrival = service.receiver.waitFor('session.payment.succeeded', sessionId, ticketGrace);
    return arrival.then(
      () => true,
      () => false,
    );
  };
  // On a very busy machine, a function may fail, and the sweep does its work. Without tickets, the sweep does all the work.
  let tries = 1;
  while (!(await isQuick()) && tries < 4) tries += 1;
  expect(tries).toBeLessThan(4);
});
