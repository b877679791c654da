import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditLogPage } from '../../functions/contract/team/dashboard-team.ts';
import { anEntry, author, createPractice } from '../support/create-practice.ts';
import { day } from '../../functions/domain/time.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { writeAuditEntry } from '../../functions/store/team/audit-log.ts';
import { getMember } from '../../functions/store/team/members.ts';
import { recordNotified } from '../../functions/store/webhooks/endpoint-health.ts';
import { putEvent } from '../../functions/store/webhooks/events.ts';
import { transact } from '../../functions/store/transact.ts';
import { change } from '../../functions/store/writes.ts';
import { getWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { pictures } from '../support/pictures.ts';
import { patience } from '../support/until.ts';

let service: TestPractice;
let admin: DashboardUser;
let ids: { practiceId: string; endpointId: string };
let apiKey: string;

onStack.beforeAll(({ own }) => {
  service = own;
});

beforeEach(async () => {
  const settings = { author, name: 'Hillside', webhookUrl: service.receiver.url, supportPhone: '+1 555 010 0100' };
  const created = await createPractice(service.operated, settings, Date.now());
  apiKey = created.apiKey;
  service.receiver.secret = created.signingSecret ?? '';
  ids = { practiceId: created.practiceId, endpointId: created.endpointId ?? '' };
  admin = await dashboardUser(service, { practiceId: ids.practiceId, role: 'admin' });
});

async function logged() {
  const { body } = await admin.call('listAuditLog', ids);
  return (body as AuditLogPage).data.map(({ action }) => action);
}

describe('keys', () => {
  it('are created, used, rotated and revoked', async () => {
    const created = await admin.call('createKey', ids, { name: 'billing', scopes: ['sessions:read'] });
    expect(created.status).toBe(201);
    const key = String(created.body['apiKey']);
    const keyId = String(created.body['keyId']);
    expect(await service.answerTo(key)).toBe('accepted');

    const rotated = await admin.call('rotateKey', { ...ids, keyId }, { end: 'now' });
    expect(rotated).toMatchObject({ status: 201, body: { previousKeyId: keyId } });
    const successorKey = String(rotated.body['apiKey']);
    expect([await service.answerTo(key), await service.answerTo(successorKey)]).toEqual([
      'api_key_expired',
      'accepted',
    ]);
    expect(await admin.call('rotateKey', { ...ids, keyId }, { end: 'now' })).toMatchObject({
      status: 409,
      body: { code: 'api_key_ended', detail: 'This key has expired. Add a new one instead.' },
    });

    const successor = String(rotated.body['keyId']);
    expect(await admin.call('revokeKey', { ...ids, keyId: successor })).toMatchObject({ status: 200 });
    expect(await service.answerTo(successorKey)).toBe('api_key_revoked');
    const { body, text } = await admin.call('listKeys', ids);
    expect(body['keys']).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ keyId: successor, revokedAt: expect.any(String) })]),
    );
    expect(text).not.toContain(key.slice(-43));
    expect(await logged()).toEqual(['api_key.revoked', 'api_key.rotated', 'api_key.created', 'practice.created']);
  });

  it('with a wrong field get the problem beside the field', async () => {
    expect(await admin.call('createKey', ids, { name: '', expiresInDays: 0 })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/name' }, { pointer: '/expiresInDays' }] },
    });
  });
});

describe('webhook endpoints', () => {
  it('get a test event whose answer is shown', async () => {
    const { body } = await admin.call('testWebhookEndpoint', ids);
    const delivery = { ...ids, eventId: String(body['eventId']) };
    // The receiver refuses anything but session webhooks.
    const shown = { delivery: { status: 'failed' }, attempts: [{ attemptNumber: 1, statusCode: 400 }] };
    await vi.waitFor(
      async () => expect((await admin.call('getDelivery', delivery)).body).toMatchObject(shown),
      patience,
    );
    expect(await logged()).toEqual(['webhook_endpoint.tested', 'practice.created']);
  });

  it('show the query of their URL, which may hold a token, only to admins', async () => {
    const url = service.receiver.url;
    await admin.call('moveWebhookEndpoint', ids, { url: `${url}?token=t0psecret` });
    const { body: tested } = await admin.call('testWebhookEndpoint', ids);
    const delivery = { ...ids, eventId: String(tested['eventId']) };
    const attempted = { attempts: [{ url: `${url}?token=t0psecret` }] };
    await vi.waitFor(
      async () => expect((await admin.call('getDelivery', delivery)).body).toMatchObject(attempted),
      patience,
    );
    const { database } = service.operated;
    // Recorded after the attempt.
    const failing = await vi.waitFor(async () => {
      const endpoint = await getWebhookEndpoint(database, ids.practiceId, ids.endpointId);
      expect(endpoint).toHaveProperty('failingSince');
      return endpoint ?? expect.fail('no endpoint');
    }, patience);
    // The state after more failures, which is an alert.
    await recordNotified(database, failing, Date.now());
    for (const role of ['viewer', 'staff'] as const) {
      const member = await dashboardUser(service, { practiceId: ids.practiceId, role });
      const list = await member.call('listWebhookEndpoints', ids);
      expect(list.body).toMatchObject({ endpoints: [{ url }] });
      const alerts = await member.call('getAlerts', ids);
      expect(alerts.body).toMatchObject({ endpoints: [{ url }] });
      const detail = await member.call('getDelivery', delivery);
      expect(detail.body).toMatchObject({ attempts: [{ url }] });
      expect(list.text + alerts.text + detail.text).not.toContain('t0psecret');
    }
    expect((await admin.call('listWebhookEndpoints', ids)).text).toContain('t0psecret');
  });

  it('that missed webhooks offer a replay, which starts at once', async () => {
    expect((await admin.call('setWebhookEndpointStatus', ids, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
    });
    const { sessionId } = await service.createSession({}, { apiKey });
    await service.clientOf(apiKey).sessions.cancel(sessionId);
    const delivery = { ...ids, eventId: `evt_${sessionId.slice('ses_'.length)}_1` };
    const becomes = (status: string) =>
      vi.waitFor(
        async () => expect((await admin.call('getDelivery', delivery)).body).toMatchObject({ delivery: { status } }),
        patience,
      );
    await becomes('skipped');

    const enabled = await admin.call('setWebhookEndpointStatus', ids, { status: 'enabled' });
    const since = enabled.body['missedSince'];
    expect(enabled.body).toMatchObject({ status: 'enabled', missedSince: expect.any(String) });
    expect((await admin.call('replayWebhookEndpoint', ids, { since })).body).toEqual({
      since,
      replayed: 1,
      more: false,
    });
    // No schedule has fired.
    await becomes('delivered');
    expect(await admin.call('resendDelivery', delivery)).toMatchObject({ status: 200 });
    expect(await logged()).toEqual([
      'delivery.resent',
      'deliveries.replayed',
      'webhook_endpoint.enabled',
      'webhook_endpoint.disabled',
      'practice.created',
    ]);
  });

  it('are added, filtered, moved, deleted, and their secret is revealed and rotated', async () => {
    const url = 'http://127.0.0.1:9/webhooks';
    const added = await admin.call('createWebhookEndpoint', ids, { url });
    const endpoint = { ...ids, endpointId: String(added.body['endpointId']) };
    const { signingSecret } = added.body;
    expect((await admin.call('revealSigningSecret', endpoint)).body).toEqual({ signingSecret });
    const change = { eventTypes: ['session.payment.failed'], retryPolicy: 'all' };
    expect((await admin.call('changeWebhookEndpoint', endpoint, change)).body).toMatchObject(change);
    const cleared = await admin.call('changeWebhookEndpoint', endpoint, { eventTypes: ['all'] });
    expect(cleared.body).not.toHaveProperty('eventTypes');
    const moved = await admin.call('moveWebhookEndpoint', endpoint, { url: 'http://127.0.0.1:9/moved' });
    expect(moved.body).toMatchObject({ url: 'http://127.0.0.1:9/moved', retryPolicy: 'all' });
    expect((await admin.call('rotateSigningSecret', endpoint, { keepOldHours: 1 })).body['signingSecret']).not.toBe(
      signingSecret,
    );
    expect((await admin.call('deleteWebhookEndpoint', endpoint)).body).toMatchObject({ status: 'deleted' });
    const { body, text } = await admin.call('listWebhookEndpoints', ids);
    expect(body['endpoints']).toMatchObject([{ endpointId: ids.endpointId }]);
    expect(text).not.toContain('whsec');
  });

  it.each(['https://10.0.0.1/', 'https://hook/'])('may not be at %s', async (url) => {
    expect(await admin.call('createWebhookEndpoint', ids, { url })).toMatchObject({
      status: 422,
      body: { code: 'webhook_url_not_allowed' },
    });
  });
});

describe('settings', () => {
  it('are changed, with a logo that the dashboard shows', async () => {
    const settings = { name: 'Hillside Clinic', timeZone: 'America/Chicago', supportEmail: 'pay@hillside.example' };
    expect(await admin.call('changeSettings', ids, settings)).toMatchObject({ status: 200, body: settings });
    expect((await admin.call('changeSettings', ids, { supportPhone: null })).body).not.toHaveProperty('supportPhone');
    const { body } = await admin.call('changeLogo', ids, { logo: pictures.png.toString('base64') });
    const logo = await fetch(`${service.dashboardUrl}${String(body['logoUrl'])}`);
    expect(logo.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(pictures.png);
    expect((await admin.call('changeLogo', ids, { logo: null })).body).not.toHaveProperty('logoUrl');
    expect((await admin.call('getSettings', ids)).body).toMatchObject(settings);
  });

  it('have an address and links to pages of its own, which can be removed', async () => {
    const own = {
      postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
      privacyUrl: 'https://lakeside.example/privacy',
      termsUrl: 'https://lakeside.example/terms',
    };
    expect(await admin.call('changeSettings', ids, own)).toMatchObject({ status: 200, body: own });
    expect(await admin.call('changeSettings', ids, { termsUrl: 'http://lakeside.example' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/termsUrl', code: 'invalid_value' }] },
    });
    const removed = { postalAddress: null, privacyUrl: null, termsUrl: null };
    const { body } = await admin.call('changeSettings', ids, removed);
    for (const name of Object.keys(own)) expect(body).not.toHaveProperty(name);
  });

  it('take a logo of up to 100 kB and say why a larger one is refused', async () => {
    const large = Buffer.concat([pictures.png, Buffer.alloc(100_001 - pictures.png.length)]);
    expect(await admin.call('changeLogo', ids, { logo: large.toString('base64') })).toMatchObject({
      status: 422,
      body: { code: 'logo_not_accepted', detail: 'The logo can be at most 100 kB.' },
    });
  });
});

it('the test bank gets a new password', async () => {
  const { body: before } = await admin.call('getTestBank', ids);
  const { body: changed } = await admin.call('changeTestBankPassword', ids);
  expect(changed['users']).toEqual(before['users']);
  expect(changed['password']).not.toBe(before['password']);
  expect((await admin.call('getTestBank', ids)).body).toEqual(changed);
});

it('every admin gets an email about each sensitive change, and about no other', async () => {
  const other = await dashboardUser(service, { practiceId: ids.practiceId, role: 'admin' });
  await dashboardUser(service, { practiceId: ids.practiceId, role: 'staff' });
  await admin.call('changeSettings', ids, { name: 'Mailed Family Practice' });
  await other.call('revealSigningSecret', ids);
  const ofPractice = () => service.mails.filter(({ text }) => text.includes(ids.practiceId));
  await vi.waitFor(() => expect(ofPractice()).toHaveLength(2), patience);
  for (const { to, subject, text } of ofPractice()) {
    expect(to).toMatch(/^admin-/);
    expect(subject).toBe('A signing secret was revealed at Mailed Family Practice');
    expect(text).toContain('From: 127.0.0.1');
    expect(text).not.toContain('whsec');
  }
});

it('members who chose it get an email about a returned payment', async () => {
  const { practiceId } = service.practice;
  const [wanting, other] = [
    await dashboardUser(service, { practiceId, role: 'viewer' }),
    await dashboardUser(service, { practiceId, role: 'viewer' }),
  ];
  expect(await wanting.call('changeMailTopics', { practiceId }, { mailTopics: ['payment_returned'] })).toMatchObject({
    status: 200,
  });
  const { sessionId } = await service.createSession();
  await service.client.sandbox.simulate(sessionId, 'user_late_return');
  await service.client.sandbox.advance(sessionId);
  const addressOf = async ({ userId }: DashboardUser) =>
    (await getMember(service.operated.database, { practiceId, userId }))?.email;
  const recipients = () =>
    service.mails.filter(({ text }) => text.includes(`/${practiceId}/sessions/${sessionId}`)).map(({ to }) => to);
  const address = await addressOf(wanting);
  await vi.waitFor(() => expect(recipients()).toContain(address), patience);
  expect(recipients()).not.toContain(await addressOf(other));
});

it("a member who chose the daily summary gets it once, in the morning of the practice's time zone", async () => {
  const { practiceId } = service.practice;
  const { database } = service.operated;
  const member = await dashboardUser(service, { practiceId, role: 'viewer' });
  await member.call('changeMailTopics', { practiceId }, { mailTopics: ['daily_summary'] });
  const now = Date.now();
  // A zone where it is eight o'clock now. The names of these zones count west of Greenwich.
  const hoursBehind = ((new Date(now).getUTCHours() - 8 + 36) % 24) - 12;
  const timeZone = `Etc/GMT${hoursBehind < 0 ? '' : '+'}${hoursBehind}`;
  const settings = { set: { timeZone } };
  await transact(database, { practice: change(database, 'practices', { practiceId }, settings) });
  const { sessionId } = await service.createSession({ amountCents: 12_345 });
  const failed = { ...(await getExistingSession(database, sessionId)), sequence: 1 };
  const event = putEvent(database, 'session.payment.failed', failed, 'processing', now - day);
  await transact(database, { event });

  const address = (await getMember(database, { practiceId, userId: member.userId }))?.email;
  const received = () => service.mails.filter(({ to, text }) => to === address && text.includes(practiceId));
  for (let hours = 0; hours < 2; hours += 1) await service.stack.fireSchedules();
  await vi.waitFor(() => expect(received()).toHaveLength(1), patience);
  expect(received()[0]?.text).toMatch(/^Failed: 1 \(\$123\.45\)\n\nWaiting to be paid now: \d+ \(\$/);
  await service.stack.fireSchedules();
  expect(received()).toHaveLength(1);
});

it('a practice reads its audit log in pages', async () => {
  for (let count = 0; count < 51; count += 1) await writeAuditEntry(service.operated.database, anEntry(ids.practiceId));
  const first = (await admin.call('listAuditLog', ids)).body as AuditLogPage;
  expect(first.data).toHaveLength(50);
  expect(first.nextCursor).not.toBeNull();
});
