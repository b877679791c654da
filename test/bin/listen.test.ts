import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, afterAll, beforeAll, onTestFinished } from 'vitest';
import { openFeed, forward, requireLoopback } from '../../bin/practice/listen.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { PaymentConnectionError, type EventFilters, type ListedEvent, verifyWebhook } from '../../web/client/index.ts';
import { startServer } from '../support/server.ts';

const ulid = '01M7WT8GBK9JN8GY3CPDSZDMFS';
const start = Date.parse('2026-11-20T15:00:00.000Z');

function eventAt(seconds: number, eventId: string): ListedEvent {
  const createdAt = new Date(start + seconds * 1000).toISOString();
  const sessionId = `ses_${eventId.slice(4, 30)}`;
  return { eventId, type: 'session.payment.processing', createdAt, sessionId, body: '{}' };
}

/** The API's list. `hidden` events show only in their session's list; a `fault` ends the next lists half-way. */
async function follow(already: ListedEvent[] = []) {
  const api = { stored: already, hidden: new Set<string>(), faults: [] as Error[], lists: [] as EventFilters[] };
  const ending = new AbortController();
  const connection: string[] = [];
  async function* list(filters: EventFilters = {}): AsyncGenerator<ListedEvent, void, undefined> {
    api.lists.push(filters);
    const listed = api.stored
      .filter((each) => (filters.sessionId ? each.sessionId === filters.sessionId : !api.hidden.has(each.eventId)))
      .filter(({ createdAt }) => createdAt >= String(filters.since ?? ''))
      .sort((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt));
    const fault = api.faults.shift();
    for (const event of fault ? listed.slice(0, 1) : listed) yield event;
    if (fault) throw fault;
  }
  const events = { list, listPage: () => Promise.reject(new Error('unused')) };
  const feed = await openFeed({
    events,
    signal: ending.signal,
    onConnection: (state) => connection.push(state),
    interval: 1,
  });
  const received: string[] = [];
  const ended = (async () => {
    for await (const { eventId } of feed) received.push(eventId);
  })();
  // It ends with the test.
  ended.catch(() => undefined);
  async function polls(count: number) {
    for (const before = api.lists.length; api.lists.length < before + count;)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { api, received, connection, ended, polls, end: () => ending.abort() };
}

describe('the feed of events', () => {
  it('starts with the present, and yields each event once', async () => {
    const { api, received, polls, end } = await follow([eventAt(-90, `evt_${ulid}_1`), eventAt(0, `evt_${ulid}_2`)]);
    await polls(3);
    expect(received).toEqual([]);
    api.stored.push(eventAt(1, `evt_${ulid}_3`));
    await polls(4);
    end();
    expect(received).toEqual([`evt_${ulid}_3`]);
  });

  it('yields the very first event, and one that is listed late', async () => {
    const { api, received, polls, end } = await follow();
    api.stored.push(eventAt(5, 'evt_01M7WT8GBK9JN8GY3CPDSZAAAA_1'));
    await polls(3);
    api.stored.push(eventAt(-30, 'evt_01M7WT8GBK9JN8GY3CPDSZBBBB_1'));
    await polls(3);
    end();
    expect(received).toEqual(['evt_01M7WT8GBK9JN8GY3CPDSZAAAA_1', 'evt_01M7WT8GBK9JN8GY3CPDSZBBBB_1']);
  });

  it('yields an expiration that the sweep wrote two minutes after it happened', async () => {
    const { api, received, polls, end } = await follow([eventAt(0, 'evt_01M7WT8GBK9JN8GY3CPDSZAAAA_1')]);
    api.stored.push(eventAt(130, 'evt_01M7WT8GBK9JN8GY3CPDSZBBBB_1'));
    await polls(3);
    api.stored.push(eventAt(10, 'evt_01M7WT8GBK9JN8GY3CPDSZCCCC_1'));
    await polls(3);
    end();
    expect(received).toEqual(['evt_01M7WT8GBK9JN8GY3CPDSZBBBB_1', 'evt_01M7WT8GBK9JN8GY3CPDSZCCCC_1']);
  });

  it('keeps the order of a session whose first event is listed after its second', async () => {
    const { api, received, polls, end } = await follow([eventAt(0, 'evt_01M7WT8GBK9JN8GY3CPDSZAAAA_1')]);
    api.hidden.add(`evt_${ulid}_1`);
    api.stored.push(eventAt(1, `evt_${ulid}_1`), eventAt(2, `evt_${ulid}_2`));
    await polls(4);
    api.hidden.clear();
    await polls(3);
    end();
    expect(received).toEqual([`evt_${ulid}_1`, `evt_${ulid}_2`]);
  });

  it('leaves out events from long before the start', async () => {
    const { api, received, polls, end } = await follow([
      eventAt(-4000, `evt_${ulid}_1`),
      eventAt(0, 'evt_01M7WT8GBK9JN8GY3CPDSZAAAA_1'),
    ]);
    api.stored.push(eventAt(3, `evt_${ulid}_2`));
    await polls(4);
    end();
    expect(received).toEqual([`evt_${ulid}_2`]);
  });

  it('survives faults in the middle of a page without losing or repeating an event', async () => {
    const { api, received, connection, polls, end } = await follow([eventAt(0, `evt_${ulid}_1`)]);
    api.stored.push(eventAt(1, `evt_${ulid}_2`), eventAt(2, `evt_${ulid}_3`));
    api.faults.push(new PaymentConnectionError('down'), new PaymentConnectionError('down'));
    await polls(6);
    end();
    expect(received).toEqual([`evt_${ulid}_2`, `evt_${ulid}_3`]);
    expect(connection).toEqual(['lost', 'restored']);
  });

  it('ends with the error of a refusal', async () => {
    const { api, ended } = await follow();
    api.faults.push(new Error('the key was revoked'));
    await expect(ended).rejects.toThrow('the key was revoked');
  });
});

const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = { eventId: 'evt_1', body: JSON.stringify({ id: 'evt_1', type: 'webhook.test' }) };
const options = { signingSecret, signal: new AbortController().signal };

const received: unknown[] = [];
const server = createServer(async (request, response) => {
  received.push(verifyWebhook(await text(request), request.headers, signingSecret));
  response.writeHead(request.url === '/moved' ? 302 : 204, { location: 'https://example.com/' }).end();
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

it.each(['127.0.0.1', 'localhost'])('forwards to %s a webhook that verifies', async (host) => {
  const sent = await forward(await requireLoopback(`http://${host}:${port}/`), event, options);
  expect(sent).toEqual({ statusCode: 204, durationMilliseconds: expect.any(Number) });
  expect(received.at(-1)).toEqual({ id: 'evt_1', type: 'webhook.test' });
});

it('sends the headers of a webhook', async () => {
  const headers: IncomingHttpHeaders[] = [];
  const listener: RequestListener = (request, response) => {
    headers.push(request.headers);
    response.writeHead(204).end();
  };
  const url = `http://127.0.0.1:${await startServer(createServer(listener))}/`;
  await forward(new URL(url), event, options);
  await postWebhook({ url, body: event.body, headers: {} }, true);
  const [forwarded, sent] = headers.map(
    ({ 'webhook-id': _, 'webhook-signature': __, 'webhook-timestamp': ___, ...rest }) => rest,
  );
  expect(forwarded).toEqual(sent);
  expect(sent).toMatchObject({
    'user-agent': 'patient-invoice-payment-webhooks/1',
    'content-type': 'application/json',
  });
});

it.each(['localhost', 'app.localhost', 'LOCALHOST.'])(
  'sends to 127.0.0.1 for %s, whatever else listens',
  async (host) => {
    const hits: string[] = [];
    const four = createServer((_, response) => {
      hits.push('127.0.0.1');
      response.writeHead(204).end();
    });
    const shared = await startServer(four);
    const six = createServer((_, response) => {
      hits.push('::1');
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => six.once('error', () => resolve()).listen(shared, '::1', resolve));
    onTestFinished(() => void six.close());
    expect(await forward(await requireLoopback(`http://${host}:${shared}/`), event, options)).toMatchObject({
      statusCode: 204,
    });
    expect(hits).toEqual(['127.0.0.1']);
  },
);

it('reaches a receiver that listens on IPv6 only, if its address is given', async (context) => {
  let hits = 0;
  const six = createServer((_, response) => {
    hits += 1;
    response.writeHead(204).end();
  });
  const listens = await new Promise<boolean>((resolve) => {
    six.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true));
  });
  onTestFinished(() => void six.close());
  if (!listens) return context.skip('this machine has no IPv6');
  const { port: its } = six.address() as AddressInfo;
  expect(await forward(await requireLoopback(`http://[::1]:${its}/`), event, options)).toMatchObject({
    statusCode: 204,
  });
  // Another program may listen on this port of 127.0.0.1.
  await forward(await requireLoopback(`http://localhost:${its}/`), event, options);
  expect(hits).toBe(1);
});

it('says what a webhook would say: an answer that cannot be read, and a failed handshake', async () => {
  const nonsense = await startServer(
    createSocketServer((socket) => void socket.once('data', () => socket.end('no\n'))),
  );
  const to = (url: string) => forward(new URL(url), event, options);
  expect(await to(`http://127.0.0.1:${nonsense}/`)).toMatchObject({ error: 'unreadable_response' });
  expect(await to(`https://127.0.0.1:${nonsense}/`)).toMatchObject({ error: 'tls_handshake_failed' });
});

it('does not follow a redirect, and says why there is no answer', async () => {
  expect(await forward(new URL(`http://127.0.0.1:${port}/moved`), event, options)).toMatchObject({
    statusCode: 302,
    redirectsTo: 'https://example.com/',
  });
  expect(await forward(new URL('http://127.0.0.1:1/'), event, options)).toMatchObject({ error: 'connection_refused' });
});

describe('--forward-to', () => {
  it.each(['127.0.0.1:3000', 'http://127.1.2.3/x', 'http://[::1]:3000/', 'http://0x7f.1/'])('takes %s', async (url) => {
    if (url.startsWith('http')) await expect(requireLoopback(url)).resolves.toBeInstanceOf(URL);
    else await expect(requireLoopback(url)).rejects.toThrow('--forward-to is wrong.');
  });

  it.each([
    ['http://192.168.0.7/', 'Events are forwarded only to this machine.'],
    ['http://0.0.0.0:3000/', 'Events are forwarded only to this machine.'],
    ['https://8.8.8.8/', 'Events are forwarded only to this machine.'],
    ['http://[::ffff:8.8.8.8]/', 'Events are forwarded only to this machine.'],
    ['http://[2001:db8::1]/', 'Events are forwarded only to this machine.'],
    ['ftp://127.0.0.1/', 'It must begin with http:// or https://.'],
    ['webhooks', 'It is not a URL.'],
  ])('refuses %s', async (url, message) => {
    await expect(requireLoopback(url)).rejects.toThrow(message);
  });
});
