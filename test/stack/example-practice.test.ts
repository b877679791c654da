import { afterAll, describe, expect, it } from 'vitest';
import { eventOf, type ListedEvent, type TestUser } from '../../web/client/index.ts';
import { anExamplePractice, type ExamplePractice } from '../support/example-practice.ts';
import { freePort } from '../support/server.ts';
import { sendRaw } from '../support/http-request.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { runCommand } from '../support/run-command.ts';

/** Test users, one of each kind of end, and what else happens to a link. */
const afterFirstLinks = {
  user_good: 'succeeded',
  user_bad: 'pending',
  user_insufficient_funds: 'failed',
  user_declined: 'failed',
  user_stuck: 'processing',
  user_late_return: 'returned',
  expire: 'cancelled',
  cancel: 'cancelled',
  nothing: 'pending',
} satisfies Partial<Record<TestUser | 'expire' | 'cancel' | 'nothing', string>>;
type Invoice = keyof typeof afterFirstLinks;
/** One invoice for each, with the same name. */
const invoices = Object.keys(afterFirstLinks) as Invoice[];

let service: TestPractice;
let practice: ExamplePractice;
let port: number;
let endpointId: string;
let csv: string;
onStack.beforeAll(async ({ own }) => {
  service = own;
  const { practiceId, apiKey } = service.practice;
  endpointId = service.practice.endpointId;
  port = await freePort();
  const url = `http://127.0.0.1:${port}/webhooks`;
  await runCommand(service.operated, 'update-webhook', { practice: practiceId, endpoint: endpointId, url });
  practice = await anExamplePractice({
    signingSecret: service.receiver.secret,
    apiUrl: service.apiUrl,
    apiKey,
    port,
  });
  const lines = invoices.map((invoice, index) => `${invoice},"Ada ""A"" <b>","Okafor, Jr.",${index + 1}82.50`);
  csv = await practice.write('invoices.csv', `\uFEFFinvoiceId,firstName,lastName,amount\r\n${lines.join('\r\n')}\r\n`);
});
afterAll(() => practice.remove());

const billedIn = (printed: string) => [...printed.matchAll(/^(\w+) {2}ses_\w+ {2}http/gm)].map(([, id]) => id);

async function sessionCount(): Promise<number> {
  let count = 0;
  for await (const _session of service.client.sessions.list()) count += 1;
  return count;
}

/** In the words of the example's books. */
async function servicesBooks(): Promise<Record<string, string>> {
  const books: Record<string, string> = {};
  for await (const { sessionId } of service.client.sessions.list()) {
    const { status, return: returned, failure, cancellation } = await service.client.sessions.get(sessionId);
    const reason = failure?.code ?? returned?.code ?? cancellation?.reason;
    books[sessionId] = [returned ? 'returned' : status, reason].filter(Boolean).join(' ');
  }
  return books;
}

async function openSessionOf(invoiceId: Invoice): Promise<string> {
  const { data } = await service.client.sessions.listPage({ invoiceId, status: ['pending', 'processing'] });
  return data[0]?.sessionId ?? '';
}

/** What the invoice's name says. */
async function perform(invoice: Invoice, as: Invoice = invoice): Promise<void> {
  const { sessions, sandbox } = service.client;
  const sessionId = await openSessionOf(invoice);
  if (as === 'nothing') return;
  if (as === 'cancel') return void (await sessions.cancel(sessionId));
  await sandbox.simulate(sessionId, as);
  if (as === 'user_late_return') await sandbox.advance(sessionId);
}

async function allEvents(): Promise<ListedEvent[]> {
  const events = [];
  for await (const event of service.client.events.list()) events.push(event);
  return events;
}

/** The same event for a session that does not exist. */
function anHourLater(listed: ListedEvent): ListedEvent {
  const event = eventOf(listed);
  const created_at = new Date(Date.parse(event.created_at) + 3_600_000).toISOString();
  const data = { ...event.data, sessionId: 'ses_later' };
  return { ...listed, eventId: 'evt_later', body: JSON.stringify({ ...event, id: 'evt_later', created_at, data }) };
}

describe('the example practice', () => {
  it('bills every invoice once, however often it starts, and even if it loses its books', async () => {
    expect(billedIn(await practice.start({ args: [csv] }))).toEqual([...invoices].sort());
    expect(billedIn(await practice.start({ args: [csv] }))).toEqual([]);
    expect(billedIn(await practice.start({ args: [csv], books: 'lost.db' }))).toEqual([...invoices].sort());
    expect(practice.sessionsIn('lost.db')).toEqual(practice.sessionsIn());
    expect(await sessionCount()).toBe(invoices.length);
  });

  it('learns by webhook how each of them ends', async () => {
    await practice.start();
    for (const invoice of invoices) await perform(invoice);
    await expect.poll(() => practice.statuses()).toEqual(afterFirstLinks);
    expect(practice.sessionsIn()).toEqual(await servicesBooks());
  });

  it('shows the state of every invoice on this machine, but not to those who come through a tunnel', async () => {
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(page).toContain('failed: insufficient_funds');
    expect(page).toContain('Ada &#34;A&#34; &#60;b&#62; Okafor, Jr.');
    expect(page).toContain('$182.50');
    const throughTunnel = { headers: { host: 'practice.example' } };
    expect(await sendRaw(`http://127.0.0.1:${port}`, '/', throughTunnel)).toMatchObject({ status: 404 });
  });

  it('makes new links for the invoices that are owed again, and for no others', async () => {
    const owed = invoices.filter((invoice) => ['failed', 'returned', 'cancelled'].includes(afterFirstLinks[invoice]));
    expect(billedIn(await practice.start({ args: [csv] }))).toEqual([...owed].sort());
    expect(await sessionCount()).toBe(invoices.length + owed.length);
  });

  it('finds out what happened while it was off, although no webhook is sent again', async () => {
    await practice.stop();
    await runCommand(service.operated, 'disable-webhook', {
      practice: service.practice.practiceId,
      endpoint: endpointId,
    });
    const open = invoices.filter((invoice) => !['user_good', 'user_stuck'].includes(invoice));
    for (const invoice of open) await perform(invoice);
    await perform('user_stuck', 'cancel');
    await perform('user_bad', 'expire');
    const books = await servicesBooks();
    expect(practice.sessionsIn()).not.toEqual(books);
    await practice.start();
    expect(practice.sessionsIn()).toEqual(books);
  });

  it('finds an older return although a newer event came first', async () => {
    const sessionId = await openSessionOf('nothing');
    await service.client.sandbox.simulate(sessionId, 'user_late_return');
    await practice.start();
    await practice.stop();
    await service.client.sandbox.advance(sessionId);
    await practice.start({ cutOff: true });
    const [event] = await allEvents();
    expect(await practice.deliver(anHourLater(event!))).toBe(204);
    expect(practice.statuses()).toMatchObject({ nothing: 'succeeded' });
    await practice.start();
    expect(practice.statuses()).toMatchObject({ nothing: 'returned' });
  });

  it('learns the outcome of an open session from its status once its events are gone', async () => {
    await practice.start({ args: [csv] });
    await practice.stop();
    await perform('user_bad', 'cancel');
    await perform('user_declined', 'user_good');
    await perform('expire', 'user_stuck');
    practice.markEventsRead(60);
    await practice.start();
    expect(practice.statuses()).toMatchObject({
      user_bad: 'cancelled',
      user_declined: 'succeeded',
      expire: 'processing',
    });
    expect(practice.sessionsIn()).toMatchObject(await servicesBooks());
  });

  it('finds an event that appears in the list five minutes after newer ones', async () => {
    const sessionId = await openSessionOf('nothing');
    await service.client.sandbox.simulate(sessionId, 'user_late_return');
    await practice.start();
    await practice.stop();
    await service.client.sandbox.advance(sessionId);
    practice.markEventsRead(5);
    await practice.start();
    expect(practice.statuses()).toMatchObject({ nothing: 'returned' });
  });

  it('accepts webhooks only from the service', async () => {
    const [event] = await allEvents();
    await practice.start({ cutOff: true, books: 'backwards.db' });
    expect(await practice.deliver(event!, `whsec_${Buffer.alloc(32, 7).toString('base64')}`)).toBe(503);
    expect(await practice.deliver({ ...event!, body: 'x'.repeat(100_000) })).toBe(503);
    expect(practice.sessionsIn('backwards.db')).toEqual({});
    expect(await practice.deliver(event!)).toBe(204);
  });

  it('ends with the same books if webhooks come backwards and twice', async () => {
    const events = await allEvents();
    for (const event of [...events, ...events.toReversed()]) expect(await practice.deliver(event)).toBe(204);
    const known = Object.entries(await servicesBooks()).filter(([, state]) => state !== 'pending');
    expect(known.length).toBeGreaterThan(invoices.length);
    expect(practice.sessionsIn('backwards.db')).toEqual(Object.fromEntries(known));
  });
});
