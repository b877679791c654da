import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { sessionWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import { toIso } from '../../functions/domain/time.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { eventOf, type EventFilters, type PageRequest } from '../../web/client/index.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import { paymentsOf } from '../support/payments.ts';
import { startReceiver } from '../support/receiver.ts';
import { runCommand } from '../support/run-command.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

async function ask(query: string, apiKey = service.practice.apiKey) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await checkedFetch(`${service.apiUrl}/api/practice/events${query}`, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const list = (page: EventFilters & PageRequest, client = service.client) => client.events.listPage(page);

describe('the events of a practice', () => {
  it("are what was sent, byte for byte: the webhook's signature matches", async () => {
    const metadata = { note: 'Zürich „Nord“ \u2028 </script> 🏥 \\ "' };
    const { sessionId } = await service.createSession({ metadata });
    await service.client.sandbox.simulate(sessionId, 'user_good');
    const sent = [
      await service.receiver.waitFor('session.payment.succeeded', sessionId),
      await service.receiver.waitFor('session.payment.processing', sessionId),
    ];
    const { data, nextCursor } = await list({ sessionId });
    expect(nextCursor).toBeNull();
    expect(data).toEqual(
      sent.map(({ event, body }) => ({
        eventId: event.id,
        type: event.type,
        createdAt: event.created_at,
        sessionId,
        body,
      })),
    );
    expect(data.map(eventOf)).toEqual(sent.map(({ event }) => event));
    data.forEach(({ body }, index) => {
      const headers = Object.fromEntries(
        Object.entries(sent[index]?.headers ?? {}).map(([name, value]) => [name, String(value)]),
      );
      expect(new Webhook(service.receiver.secret).verify(body, headers)).toMatchObject({ data: { metadata } });
    });
  });

  it('are listed for a practice that got no webhooks, and verify when signed again', async () => {
    const { apiKey, practiceId } = await createPractice(
      service.operated,
      { author, name: 'Deaf Practice' },
      Date.now(),
    );
    const payments = paymentsOf({ ...service, ...service.practice, apiKey });
    const sessions = [];
    for (let count = 0; count < 3; count += 1) {
      const { sessionId } = await payments.createSession();
      await payments.client.sessions.cancel(sessionId);
      sessions.unshift(sessionId);
    }
    const secret = `whsec_${Buffer.from('a secret of this run').toString('base64')}`;
    const webhook = new Webhook(secret);
    const found = [];
    const page = { type: 'session.payment.cancelled', limit: 2 } as const;
    for (let next: PageRequest = {}; ;) {
      const { data, nextCursor } = await list({ ...page, ...next }, payments.client);
      for (const { eventId, body } of data) {
        const now = new Date();
        const headers = {
          'webhook-id': eventId,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': webhook.sign(eventId, now, body),
        };
        const event = sessionWebhook.parse(webhook.verify(body, headers));
        expect(event).toMatchObject({ id: eventId, practiceId });
        found.push(event.data.sessionId);
      }
      if (nextCursor === null) break;
      next = { cursor: nextCursor };
    }
    expect(found).toEqual(sessions);
    expect(JSON.stringify(await list({}, payments.client))).not.toContain('Okafor');
  });

  it('report the first open to the endpoint that names it, however the session was opened', async () => {
    const { practiceId } = service.practice;
    const type = 'session.payment.opened';
    const chosen = await startReceiver();
    const filter = { practice: practiceId, url: chosen.url, events: type };
    const added = await runCommand<Record<'endpointId' | 'signingSecret', string>>(
      service.operated,
      'add-webhook',
      filter,
    );
    chosen.secret = added.signingSecret;
    const [tapped, connected, simulated] = [
      await service.createSession(),
      await service.createSession(),
      await service.createSession(),
    ];
    const patient = patientOf(tapped.hostedUrl);
    for (let taps = 0; taps < 2; taps += 1) expect(await patient.open()).toMatchObject({ status: 200 });
    const signedIn = patientOf(connected.hostedUrl).connectBank('user_good', service.practice.password);
    expect(await signedIn).toMatchObject({ status: 200 });
    await service.client.sandbox.simulate(simulated.sessionId, 'user_good');
    await service.client.sessions.cancel(tapped.sessionId);

    for (const { sessionId } of [tapped, connected, simulated]) {
      const { event, body } = await chosen.waitFor(type, sessionId);
      const { openedAt } = await service.client.sessions.get(sessionId);
      expect(event).toMatchObject({ created_at: openedAt, data: { status: 'pending', sequence: 0 } });
      expect(body).not.toMatch(/previousStatus|Ada|Okafor/);
      const { data } = await list({ sessionId });
      expect(data.at(-1)).toMatchObject({ type, createdAt: openedAt, body });
      expect(data.filter((each) => each.type === type)).toHaveLength(1);
      expect((await list({ type })).data).toContainEqual(data.at(-1));
      expect(chosen.stepsOf(sessionId)).toEqual(['opened']);
    }
    await service.receiver.waitFor('session.payment.cancelled', tapped.sessionId);
    expect(service.receiver.stepsOf(tapped.sessionId)).toEqual(['cancelled']);
    await runCommand(service.operated, 'delete-webhook', { practice: practiceId, endpoint: added.endpointId });
    await chosen.stop();
  });

  it('are also found since a time without milliseconds', async () => {
    const { sessionId } = await service.createSession();
    const { cancelledAt } = await service.client.sessions.cancel(sessionId);
    const second = `${cancelledAt.slice(0, 19)}Z`;
    for (const since of [cancelledAt, second])
      expect(await ask(`?sessionId=${sessionId}&since=${since}`)).toMatchObject({ body: { data: [{ sessionId }] } });
    const later = `${toIso(Date.parse(cancelledAt) + 1000).slice(0, 19)}Z`;
    expect(await ask(`?sessionId=${sessionId}&since=${later}`)).toMatchObject({ body: { data: [] } });
  });

  it('are also found since a time as Python writes it, and the cursor is for the moment', async () => {
    const { sessionId } = await service.createSession();
    await service.client.sandbox.simulate(sessionId, 'user_good');
    const { processingAt = '' } = await service.client.sessions.get(sessionId);
    const since = processingAt.replace('Z', '000+00:00');
    const query = `?sessionId=${sessionId}&limit=1`;
    const { body } = await ask(`${query}&since=${encodeURIComponent(since)}`);
    expect(body).toMatchObject({ data: [{ type: 'session.payment.succeeded' }] });
    const rest = await ask(`${query}&since=${processingAt}&cursor=${String(body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ data: [{ type: 'session.payment.processing' }], nextCursor: null });
    expect(await ask(`?since=${since}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: 'since', expected: expect.stringContaining('%2B') as string }] },
    });
  });

  it('are never those of another practice', async () => {
    const { sessionId } = await service.createSession();
    await service.client.sessions.cancel(sessionId);
    const { apiKey } = await createPractice(service.operated, { author, name: 'Strange Practice' }, Date.now());
    expect(await list({ limit: 100 }, service.clientOf(apiKey))).toEqual({ data: [], nextCursor: null });
    const [its, none] = [await ask(`?sessionId=${sessionId}`, apiKey), await ask('?sessionId=ses_x', apiKey)];
    expect(its).toMatchObject({ status: 404, body: { code: 'session_not_found' } });
    expect({ ...its.body, requestId: '' }).toEqual({ ...none.body, requestId: '' });
    const { nextCursor } = await list({ limit: 1 });
    expect(await ask(`?limit=1&cursor=${nextCursor}`, apiKey)).toMatchObject({ body: { code: 'invalid_cursor' } });
  });

  it('need a key with the scope events:read', async () => {
    const { practiceId } = service.practice;
    const scopes = ['sessions:read', 'sessions:write'] as const;
    const { apiKey } = await addKey(
      service.operated,
      { author, practiceId, name: 'x', scopes: [...scopes] },
      Date.now(),
    );
    expect(await ask('', apiKey)).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
  });

  it('are not listed for a query that is not valid', async () => {
    expect(await ask('?type=session.paid&sort=asc')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: 'type' }, { pointer: '', code: 'unknown_field' }] },
    });
  });
});
