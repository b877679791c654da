import { describe, expect, it, onTestFinished } from 'vitest';
import { eventOf, type ListedEvent, type PaymentClient, type TestUser } from '../../web/client/index.ts';
import { anExamplePractice } from '../support/example-practice.ts';
import { freePort } from '../support/server.ts';
import { sendRaw } from '../support/http-request.ts';
import type { SharedStack } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { runCommand } from '../support/run-command.ts';

/** Test users, one for each kind of end, and what else happens to a link. */
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
/** One invoice with the same name for each. */
const invoices = Object.keys(afterFirstLinks) as Invoice[];

let stack: SharedStack;
onStack.beforeAll(({ stack: shared }) => {
  stack = shared;
});

/** A practice of the service that runs the example until the test ends. */
async function aPractice(name: string, billed: readonly Invoice[] = []) {
  const service = await stack.openPractice(`${name}.books.example`);
  const port = await freePort();
  const { apiUrl, practice, receiver } = service;
  const example = await anExamplePractice({ apiUrl, apiKey: practice.apiKey, port, signingSecret: receiver.secret });
  onTestFinished(() => example.remove());
  const lines = billed.map((invoice, index) => `${invoice},"Ada ""A"" <b>","Okafor, Jr.",${index + 1}82.50`);
  const header = '\uFEFFinvoiceId,firstName,lastName,amount';
  const csv = await example.write('invoices.csv', `${[header, ...lines].join('\r\n')}\r\n`);
  const endpoint = { practice: practice.practiceId, endpoint: practice.endpointId };
  return {
    ...example,
    client: service.client,
    createSession: service.createSession,
    csv,
    address: `http://127.0.0.1:${port}`,
    async receiveWebhooks() {
      await runCommand(service.operated, 'update-webhook', { ...endpoint, url: `http://127.0.0.1:${port}/webhooks` });
    },
    async refuseWebhooks() {
      await runCommand(service.operated, 'disable-webhook', endpoint);
    },
  };
}

const billedIn = (printed: string) => [...printed.matchAll(/^(\w+) {2}ses_\w+ {2}http/gm)].map(([, id]) => id);

async function sessionCount(client: PaymentClient): Promise<number> {
  let count = 0;
  for await (const _session of client.sessions.list()) count += 1;
  return count;
}

/** What the service says, in the words of the example's books. */
async function servicesBooks(client: PaymentClient): Promise<Record<string, string>> {
  const books: Record<string, string> = {};
  for await (const { sessionId } of client.sessions.list()) {
    const { status, return: returned, failure, cancellation } = await client.sessions.get(sessionId);
    const reason = failure?.code ?? returned?.code ?? cancellation?.reason;
    books[sessionId] = [returned ? 'returned' : status, reason].filter(Boolean).join(' ');
  }
  return books;
}

async function openSessionOf(client: PaymentClient, invoiceId: Invoice): Promise<string> {
  const { data } = await client.sessions.listPage({ invoiceId, status: ['pending', 'processing'] });
  return data[0]?.sessionId ?? '';
}

/** Does what the invoice's name says. */
async function perform(client: PaymentClient, invoice: Invoice, as: Invoice = invoice): Promise<void> {
  const sessionId = await openSessionOf(client, invoice);
  if (as === 'nothing') return;
  if (as === 'cancel') return void (await client.sessions.cancel(sessionId));
  await client.sandbox.simulate(sessionId, as);
  if (as === 'user_late_return') await client.sandbox.advance(sessionId);
}

async function allEvents(client: PaymentClient): Promise<ListedEvent[]> {
  const events = [];
  for await (const event of client.events.list()) events.push(event);
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
    const practice = await aPractice('bills', invoices);
    const { client, csv } = practice;
    expect(billedIn(await practice.start({ args: [csv] }))).toEqual([...invoices].sort());
    expect(billedIn(await practice.start({ args: [csv] }))).toEqual([]);
    expect(billedIn(await practice.start({ args: [csv], books: 'lost.db' }))).toEqual([...invoices].sort());
    expect(practice.sessionsIn('lost.db')).toEqual(practice.sessionsIn());
    expect(await sessionCount(client)).toBe(invoices.length);
  });

  it('has the right books after webhooks, new links, a time while it was off, and webhooks backwards and twice', async () => {
    const practice = await aPractice('journey', invoices);
    const { client, csv } = practice;
    await practice.receiveWebhooks();
    await practice.start({ args: [csv] });
    for (const invoice of invoices) await perform(client, invoice);
    await expect.poll(() => practice.statuses()).toEqual(afterFirstLinks);
    expect(practice.sessionsIn()).toEqual(await servicesBooks(client));

    // It makes new links for the invoices that are owed again, and only for those.
    const owed = invoices.filter((invoice) => ['failed', 'returned', 'cancelled'].includes(afterFirstLinks[invoice]));
    expect(billedIn(await practice.start({ args: [csv] }))).toEqual([...owed].sort());
    expect(await sessionCount(client)).toBe(invoices.length + owed.length);

    // It finds out what happened while it was off, even though no webhook is sent again.
    await practice.stop();
    await practice.refuseWebhooks();
    const open = invoices.filter((invoice) => !['user_good', 'user_stuck'].includes(invoice));
    for (const invoice of open) await perform(client, invoice);
    await perform(client, 'user_stuck', 'cancel');
    await perform(client, 'user_bad', 'expire');
    const books = await servicesBooks(client);
    expect(practice.sessionsIn()).not.toEqual(books);
    await practice.start();
    expect(practice.sessionsIn()).toEqual(books);

    await practice.start({ cutOff: true, books: 'backwards.db' });
    const events = await allEvents(client);
    for (const event of [...events, ...events.toReversed()]) expect(await practice.deliver(event)).toBe(204);
    const known = Object.entries(books).filter(([, state]) => state !== 'pending');
    expect(known.length).toBeGreaterThan(invoices.length);
    expect(practice.sessionsIn('backwards.db')).toEqual(Object.fromEntries(known));
  });

  it('shows the state of every invoice on this machine, but not to those who come through a tunnel', async () => {
    const practice = await aPractice('shows', ['user_insufficient_funds']);
    await practice.start({ args: [practice.csv] });
    await perform(practice.client, 'user_insufficient_funds');
    await practice.start();
    const page = await (await fetch(practice.address)).text();
    expect(page).toContain('failed: insufficient_funds');
    expect(page).toContain('Ada &#34;A&#34; &#60;b&#62; Okafor, Jr.');
    expect(page).toContain('$182.50');
    const throughTunnel = { headers: { host: 'practice.example' } };
    expect(await sendRaw(practice.address, '/', throughTunnel)).toMatchObject({ status: 404 });
  });

  it('finds an older return although a newer event came first', async () => {
    const practice = await aPractice('older', ['nothing']);
    const { client, csv } = practice;
    await practice.start({ args: [csv] });
    const sessionId = await openSessionOf(client, 'nothing');
    await client.sandbox.simulate(sessionId, 'user_late_return');
    await practice.start();
    await practice.stop();
    await client.sandbox.advance(sessionId);
    await practice.start({ cutOff: true });
    const [event] = await allEvents(client);
    expect(await practice.deliver(anHourLater(event!))).toBe(204);
    expect(practice.statuses()).toMatchObject({ nothing: 'succeeded' });
    await practice.start();
    expect(practice.statuses()).toMatchObject({ nothing: 'returned' });
  });

  it('learns the outcome of an open session from its status once its events are gone', async () => {
    const practice = await aPractice('gone', ['user_bad', 'user_declined', 'expire']);
    const { client, csv } = practice;
    await practice.start({ args: [csv] });
    await practice.stop();
    await perform(client, 'user_bad', 'cancel');
    await perform(client, 'user_declined', 'user_good');
    await perform(client, 'expire', 'user_stuck');
    practice.markEventsRead(60);
    await practice.start();
    expect(practice.statuses()).toEqual({ user_bad: 'cancelled', user_declined: 'succeeded', expire: 'processing' });
    expect(practice.sessionsIn()).toEqual(await servicesBooks(client));
  });

  it('finds an event that appears in the list five minutes after newer ones', async () => {
    const practice = await aPractice('late', ['nothing']);
    const { client, csv } = practice;
    await practice.start({ args: [csv] });
    const sessionId = await openSessionOf(client, 'nothing');
    await client.sandbox.simulate(sessionId, 'user_late_return');
    await practice.start();
    await practice.stop();
    await client.sandbox.advance(sessionId);
    practice.markEventsRead(5);
    await practice.start();
    expect(practice.statuses()).toEqual({ nothing: 'returned' });
  });

  it('accepts webhooks only from the service', async () => {
    const practice = await aPractice('accepts');
    const { client } = practice;
    const { sessionId } = await practice.createSession();
    await client.sessions.cancel(sessionId);
    const [event] = await allEvents(client);
    await practice.start({ cutOff: true });
    expect(await practice.deliver(event!, `whsec_${Buffer.alloc(32, 7).toString('base64')}`)).toBe(503);
    expect(await practice.deliver({ ...event!, body: 'x'.repeat(100_000) })).toBe(503);
    expect(practice.sessionsIn()).toEqual({});
    expect(await practice.deliver(event!)).toBe(204);
  });
});
