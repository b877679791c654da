import { describe, expect, it } from 'vitest';
import { openFeed } from '../../bin/practice/event-feed.ts';
import { PaymentConnectionError, type EventFilters, type ListedEvent } from '../../web/client/index.ts';

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
