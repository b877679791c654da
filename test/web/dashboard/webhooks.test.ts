import { describe, expect, test } from 'vitest';
import type { DeliveryDetail } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { lakeside } from './practice-data.ts';
import { paidSessionId } from './payment-data.ts';
import { before, now } from './time-data.ts';

const on = useDashboardInDom();
const endpoint = (id: string) => `/settings/webhooks/whe_${id}`;

test('a new endpoint shows its secret and leads to its test', async () => {
  await on.open('/settings/webhooks', 'prc_maple');
  await on.button('Add endpoint').click();
  await on.page.getByLabel('URL').fill('https://maple.example/hook');
  await on.page.getByLabel('Only some').check();
  await on.page.getByLabel('The bank returned a payment').check();
  await on.dialog().getByRole('button', { name: 'Add endpoint' }).click();
  await on.page.getByText(/^whsec_/).waitFor();
  expect(on.callsOf('createWebhookEndpoint')[0]?.body).toEqual({
    url: 'https://maple.example/hook',
    eventTypes: ['session.payment.returned'],
    retryPolicy: 'standard',
  });
  await on.page.getByRole('link', { name: 'Send a test event' }).click();
  await on.page.getByRole('heading', { name: 'https://maple.example/hook' }).waitFor();
});

test('a refused URL is reported beside the field', async () => {
  await on.open('/settings/webhooks?new=1');
  const url = on.page.getByLabel('URL');
  const add = on.dialog().getByRole('button', { name: 'Add endpoint' });
  await url.fill('example.com');
  await add.click();
  await on.page.locator('.field.with-error', { hasText: 'Enter a whole URL' }).waitFor();
  await url.fill('https://10.0.0.1/hook');
  await add.click();
  await on.page.locator('.field.with-error', { hasText: 'Use an https URL with a public address.' }).waitFor();
  expect(await url.getAttribute('aria-invalid')).toBe('true');
});

test('a URL that is an endpoint already is added only after a warning', async () => {
  await on.open('/settings/webhooks?new=1');
  const url = on.page.getByLabel('URL');
  const warning = on
    .dialog()
    .getByText('Another endpoint already has this URL. Events that both want will be sent there twice.');
  await url.fill('https://billing.lakeside.example/webhooks');
  expect(await warning.count()).toBe(0);
  await url.fill(' HTTPS://billing.lakeside.example:443/webhooks/payments');
  await warning.waitFor();
  await url.fill('https://billing.lakeside.example/webhooks/other');
  await warning.waitFor({ state: 'detached' });
  await url.fill('https://billing.lakeside.example/webhooks/payments');
  await warning.waitFor();
  await on.dialog().getByRole('button', { name: 'Add endpoint' }).click();
  await on.page.getByText(/^whsec_/).waitFor();
  expect(on.sent('createWebhookEndpoint')).toHaveLength(1);
});

test.each([
  ['added', '/settings/webhooks?new=1', 'Add endpoint'],
  ['moved', `${endpoint('billing')}?dialog=move`, 'Move endpoint'],
])('an endpoint is not %s to the first part of a URL that is too long', async (_, screen, action) => {
  await on.open(screen);
  await on.page.getByLabel('URL', { exact: true }).fill(`https://maple.example/${'x'.repeat(479)}`);
  await on.dialog().getByRole('button', { name: action }).click();
  const field = on.page.locator('.field.with-error', { hasText: 'URL' });
  await field.getByText('This text is too long. Use at most 500 characters.').waitFor();
  expect([...on.sent('createWebhookEndpoint'), ...on.sent('moveWebhookEndpoint')]).toEqual([]);
});

test('an endpoint is moved to another URL', async () => {
  const url = 'https://billing.lakeside.example/new';
  await on.open(endpoint('billing'));
  await on.button('Move').click();
  await on.page.getByLabel('URL', { exact: true }).fill(url);
  await on.dialog().getByRole('button', { name: 'Move endpoint' }).click();
  await on.page.getByRole('heading', { name: url }).waitFor();
  expect(on.callsOf('moveWebhookEndpoint')[0]?.body).toEqual({ url });
});

test('a dialog that was closed is not opened again by Back', async () => {
  await on.open(endpoint('billing'));
  for (const name of ['Move', 'Delete', 'Change', 'Rotate', 'Replay']) {
    await on.button(name).click();
    await on.dialog().waitFor();
    await on.page.keyboard.press('Escape');
    await on.dialog().waitFor({ state: 'detached' });
    await on.page.goBack();
    expect(new URL(on.page.url()).search).toBe('');
  }
});

test('the history of the browser brings no secret along from one endpoint to another', async () => {
  await on.open(endpoint('reporting'));
  await on.page.locator('.back').click();
  await on.link('https://billing.lakeside.example/webhooks/payments').click();
  await on.button('Reveal').click();
  await on.page.getByText(/^whsec_/).waitFor();
  await on.page.evaluate(() => history.go(-2));
  await on.page.getByRole('heading', { name: 'https://reports.lakeside.example/incoming' }).waitFor();
  expect(await on.page.getByText(/^whsec_/).count()).toBe(0);
});

describe('a test event', () => {
  test("shows the receiver's answer as soon as it comes", async () => {
    await on.open(endpoint('billing'));
    await on.button('Send test event').click();
    await on.requests.read('/test');
    await on.pass(2);
    await on.requests.read('/deliveries/');
    await on.pass(2);
    await on.page.getByText('The endpoint answered HTTP 200').waitFor();
    expect(await on.page.locator('.attempts').textContent()).toContain('{"received":true}');
    expect(on.callsOf('getDelivery').length).toBeGreaterThan(1);
  });

  test('to an endpoint that we pause says when it goes out', async () => {
    on.api.overrides.getDelivery = () => ({ code: 'delivery_not_found' });
    await on.open(endpoint('reporting'));
    await on.button('Send test event').click();
    await on.page.getByText('The last requests got no answer, so we pause. The test goes out at').waitFor();
    expect(await on.page.getByText('Waiting for the answer').count()).toBe(0);
  });

  test.each([
    [
      { statusCode: 404, responseExcerpt: 'No such page' },
      'HTTP 404',
      ['No such page', 'answer 2xx within 15 seconds'],
    ],
    [{ error: 'certificate_expired' }, 'Certificate expired', ['Renew the certificate, then reload the server.']],
    [
      { statusCode: 301, redirectsTo: 'https://www.lakeside.example/hook' },
      'HTTP 301',
      ['https://www.lakeside.example/hook', "Change the endpoint's URL: we do not follow redirects."],
    ],
  ])('that fails with %j says what came back, and what to do', async (answer, result, texts) => {
    on.api.overrides.getDelivery = ({ params }) => ({
      delivery: {
        eventId: params['eventId'],
        endpointId: params['endpointId'],
        eventType: 'webhook.test',
        status: 'failed',
        attempts: 1,
        createdAt: '2026-11-20T15:00:00.000Z',
      },
      body: '{}',
      attempts: [
        {
          attemptNumber: 1,
          url: 'https://billing.lakeside.example/webhooks/payments',
          startedAt: '2026-11-20T15:00:00.000Z',
          durationMilliseconds: 31,
          responseTruncated: false,
          ...answer,
        },
      ],
    });
    await on.open(endpoint('billing'));
    await on.button('Send test event').click();
    await on.requests.read('/test');
    await on.pass(2);
    await on.page.getByText(`The test failed: ${result}`).waitFor();
    for (const text of texts) await on.page.getByText(text).first().waitFor();
  });
});

test('enabling offers to replay what was missed, and counts until everything is replayed', async () => {
  let left = 3;
  on.api.overrides.replayWebhookEndpoint = () => ({
    since: '2026-11-14T15:00:00.000Z',
    replayed: 1000,
    more: --left > 0,
  });
  await on.open(endpoint('legacy'));
  await on.page.getByText('This endpoint was turned off: it failed for days').waitFor();
  await on.button('Enable').click();
  const events = on.dialog().getByLabel('Events');
  const chosen = events.locator(`option[value="${await events.inputValue()}"]`);
  expect(await chosen.textContent()).toContain('Since Nov 14, 2026');
  await on.dialog().getByRole('button', { name: 'Replay' }).click();
  await on.dialog().getByText('3,000 deliveries will be sent again').waitFor();
  expect(on.callsOf('replayWebhookEndpoint').map(({ body }) => body.since)).toEqual(
    Array.from({ length: 3 }, () => Date.parse('2026-11-14T15:00:00.000Z')),
  );
});

test('an endpoint that fails says how the last attempt ended, and what to do', async () => {
  const practice = on.api.practices[lakeside]!;
  practice.endpoints = practice.endpoints.map((each) => ({ ...each, lastFailure: { error: 'host_not_found' } }));
  await on.open(endpoint('reporting'));
  await on.page.getByText('No such host').waitFor();
  await on.page.getByText('Check the spelling of the URL, and that the host name has an A record.').waitFor();
});

test('an endpoint that is turned off has no next try', async () => {
  const practice = on.api.practices[lakeside]!;
  practice.endpoints = practice.endpoints.map((each) => ({ ...each, circuitOpenUntil: before(-60_000) }));
  await on.open(endpoint('billing'));
  expect(await on.page.getByText('Next try').count()).toBe(1);
  await on.open(endpoint('legacy'));
  expect(await on.page.getByText('Next try').count()).toBe(0);
});

test('a replay covers the period that is chosen', async () => {
  await on.open(endpoint('billing'));
  await on.button('Replay').click();
  await on.dialog().getByLabel('Events').selectOption('From the last hour');
  await on.dialog().getByRole('button', { name: 'Replay' }).click();
  await on.dialog().getByText('3 deliveries will be sent again').waitFor();
  expect(on.callsOf('replayWebhookEndpoint')[0]?.body.since).toBe(now - 3_600_000);
});

test('a secret is shown only when it is revealed, which needs a fresh sign-in', async () => {
  await on.open(endpoint('billing'));
  expect(await on.page.content()).not.toContain('whsec_');
  on.api.recentSignIn = false;
  await on.button('Reveal').click();
  await on.signInWith(on.link('Sign in again'));
  await on.button('Reveal').click();
  await on.page.getByText(/^whsec_/).waitFor();
  await on.button('Hide').click();
  expect(await on.page.content()).not.toContain('whsec_');
});

test('a rotated secret is shown, and the old one signs for as long as chosen', async () => {
  await on.open(endpoint('billing'));
  await on.button('Rotate').click();
  await on.page.getByLabel('For 7 days').check();
  await on.button('Rotate secret').click();
  await on.page.getByText(/^whsec_/).waitFor();
  expect(on.callsOf('rotateSigningSecret')[0]?.body).toEqual({ keepOldHours: 168 });
});

test('events and retries are changed together', async () => {
  await on.open(endpoint('reporting'));
  await on.button('Change').click();
  await on.page.getByLabel('All events').check();
  await on.button('Save').click();
  await on.page.getByText('All, including types added later').waitFor();
  expect(on.callsOf('changeWebhookEndpoint')[0]?.body).toEqual({ eventTypes: 'all', retryPolicy: 'all' });
});

test('disabling and deleting say what will happen and ask once', async () => {
  await on.open(endpoint('billing'));
  await on.button('Disable').click();
  await on.dialog().getByText('Nothing is sent to https://billing.lakeside.example').waitFor();
  await on.button('Disable endpoint').click();
  await on.button('Enable').waitFor();
  await on.button('Delete').click();
  await on.dialog().getByText('This cannot be undone').waitFor();
  await on.button('Delete endpoint').click();
  await on.page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
  await on.link('https://reports.lakeside.example/incoming').waitFor();
  expect(await on.page.getByText('billing.lakeside.example').count()).toBe(0);
});

describe('deliveries', () => {
  test('are told in words, with the host of the endpoint and its path only where hosts are shared', async () => {
    const practice = on.api.practices[lakeside]!;
    const [first] = practice.endpoints;
    await on.open('/deliveries');
    const shown = () => on.page.getByRole('table').innerText();
    for (const words of ['The invoice was paid', paidSessionId.slice(-10)]) expect(await shown()).toContain(words);
    expect(await shown()).toContain('billing.lakeside.example');
    expect(await shown()).not.toMatch(/ses_|evt_|https:|session\.payment|\/webhooks/);
    const url = 'https://billing.lakeside.example/copies';
    practice.endpoints.push({ ...first!, endpointId: 'whe_copies', url });
    await on.page.reload();
    await on.loaded();
    expect(await shown()).toContain('billing.lakeside.example/webhooks/payments');
  });

  test('show a new status by themselves, even where the filter no longer fits', async () => {
    const [{ delivery }] = on.api.practices[lakeside]!.deliveries as [DeliveryDetail];
    delivery.nextAttemptAt = before(0);
    await on.open('/deliveries?status=pending');
    await on.page.getByRole('cell').getByText('Pending').waitFor();
    delivery.status = 'delivered';
    await on.pass(6);
    await on.page.getByRole('cell').getByText('Delivered').waitFor();
  });

  test('are not polled while the next attempt is far away', async () => {
    await on.open('/deliveries?status=pending');
    await on.page.getByRole('cell').getByText('Pending').waitFor();
    await on.pass(90);
    expect(on.requests.begun('/alerts').length).toBeGreaterThan(1);
    expect(on.requests.begun('/deliveries')).toHaveLength(1);
  });

  test('are filtered by status, endpoint and session, and Back takes the last filter away', async () => {
    await on.open('/deliveries');
    await on.page.getByLabel('Status').selectOption('Delivered');
    await on.page.getByLabel('Session ID').fill('ses_01KAGPAID00000000000000000');
    await on.button('Filter').click();
    await expect.poll(() => on.page.getByRole('row').count()).toBe(2);
    expect(new URL(on.page.url()).search).toBe('?status=delivered&sessionId=ses_01KAGPAID00000000000000000');
    await on.page.goBack();
    await expect.poll(() => on.page.getByRole('row').count()).toBeGreaterThan(20);
    expect(await on.page.getByLabel('Session ID').inputValue()).toBe('');
  });

  test('of a session that does not exist are none, and the link that clears the filters gives the focus to the heading', async () => {
    await on.open('/deliveries');
    expect(await on.link('Clear filters').count()).toBe(0);
    on.api.overrides.listDeliveries = ({ query }) =>
      query.has('sessionId') ? { code: 'session_not_found' } : undefined;
    await on.page.getByLabel('Session ID').fill('ses_unknown');
    await on.button('Filter').click();
    await on.expectText('No delivery matches');
    await on.page.getByLabel('Session ID').fill('ses_not_submitted');
    await on.link('Clear filters').click();
    await expect.poll(() => on.page.getByRole('row').count()).toBeGreaterThan(20);
    expect(await on.page.getByLabel('Session ID').inputValue()).toBe('');
    expect(await on.page.evaluate(() => document.activeElement?.textContent)).toBe('Webhook deliveries');
  });

  test.each([
    [
      [{ pointer: 'sessionId', code: 'too_long', detail: 'This text is too long.', maximum: 100 }],
      'This text is too long. Use at most 100 characters.',
    ],
    [[], 'Check what you entered, or reload the page.'],
  ] as const)('tell staff what was not accepted, in words that are not for developers: %j', async (errors, words) => {
    const detail = 'Fix everything listed in `errors` and send the request again.';
    on.api.overrides.listDeliveries = () => ({ code: 'invalid_request', detail, errors });
    await on.open(`/deliveries?sessionId=${'x'.repeat(101)}`);
    const notice = on.page.getByRole('alert').filter({ hasText: 'This was not accepted' });
    expect(await notice.textContent()).toBe(`This was not accepted${words}Request req_1`);
    expect(await on.button('Try again').count()).toBe(0);
  });

  test('are loaded one page after the other', async () => {
    await on.open('/deliveries');
    expect(await on.page.getByRole('row').count()).toBe(1 + 25);
    await on.button('Load more').click();
    await expect.poll(() => on.page.getByRole('row').count()).toBe(1 + 45);
    expect(await on.button('Load more').count()).toBe(0);
  });

  test('show each attempt with its request and answer', async () => {
    await on.open('/deliveries/evt_01KAGPAID00000000000000000_2/whe_billing');
    expect(await on.page.getByRole('main').innerText()).not.toMatch(/ses_|evt_|https:|session\.payment/);
    await on.page.getByText('Technical details').click();
    await on.expectText('session.payment.succeeded');
    for (const name of ['Event ID', 'Session ID']) await on.button(`Copy: ${name}`).waitFor();
    const attempts = on.page.locator('.attempts > li');
    expect(await attempts.count()).toBe(2);
    const last = (await attempts.first().textContent()) ?? '';
    for (const part of ['HTTP 204', 'evt_01KAGPAID00000000000000000_2', '"amountCents": 18250', '84 ms'])
      expect(last).toContain(part);
    await attempts.last().getByText('Attempt 1').click();
    await attempts.last().getByText(/^x+…$/).waitFor();
  });

  test('that were not sent say why, and lead to the endpoint', async () => {
    await on.open(`/deliveries/evt_${paidSessionId.slice('ses_'.length)}_2/whe_legacy`);
    await on.expectText('The endpoint was disabled, so nothing was sent.');
    await on.link('See the endpoint').click();
    await on.page.getByRole('heading', { name: 'https://old.lakeside.example/hook' }).waitFor();
  });

  test('are resent by staff, not by viewers', async () => {
    on.api.role = 'viewer';
    await on.open('/deliveries/evt_01KAGFAILED00000000000000_2/whe_legacy');
    expect(await on.button('Resend').count()).toBe(0);
    on.api.role = 'staff';
    await on.page.reload();
    await on.button('Resend').click();
    await on.page.getByText('Pending').waitFor();
    expect(on.callsOf('resendDelivery')).toHaveLength(1);
  });
});
