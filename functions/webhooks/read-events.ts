import type { EventRow } from '../domain/event-row.ts';
import type { Database } from '../store/database.ts';
import { getEvents } from '../store/events.ts';

/** Reads the events that a batch's tickets ask for with one request. */
export function eventReader(database: Database<'events'>): (eventId: string) => Promise<EventRow | undefined> {
  let asked = new Set<string>();
  let reading: Promise<ReadonlyMap<string, EventRow>> | undefined;

  async function read(): Promise<ReadonlyMap<string, EventRow>> {
    await new Promise(setImmediate);
    const ids = [...asked];
    asked = new Set();
    reading = undefined;
    const events = await getEvents(database, ids);
    return new Map(events.map((event) => [event.eventId, event]));
  }

  return async (eventId) => {
    asked.add(eventId);
    reading ??= read();
    return (await reading).get(eventId);
  };
}
