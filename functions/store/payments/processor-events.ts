import * as z from 'zod/mini';
import { due, ticketGrace } from '../../domain/due.ts';
import { day, isoTime, toEpochSeconds, toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import type { DueRows } from '../due-index.ts';
import { expression } from '../expressions.ts';
import { insert, update } from '../rows.ts';

const retention = 30 * day;

const eventKey = z.object({ sessionId: z.string(), processorEventId: z.string() });
export type ProcessorEventKey = z.infer<typeof eventKey>;

const processorEvent = z.extend(eventKey, { type: z.string(), receivedAt: isoTime });

/** Stores an event, due until it is handled. False if it was stored before. */
export async function insertProcessorEvent(
  database: Database,
  event: ProcessorEventKey & { readonly type: string },
  now: number,
): Promise<boolean> {
  const row = {
    ...event,
    receivedAt: toIso(now),
    ...due('notification', event.processorEventId, now + ticketGrace),
  };
  return insert(database, 'processorEvents', row, 'processorEventId');
}

/** Only a handled event expires: an unfinished one may be the only reason to reverse a transfer. */
export async function finishProcessorEvent(
  database: Database,
  { sessionId, processorEventId }: ProcessorEventKey,
  now: number,
): Promise<void> {
  const dueRow = z.extend(processorEvent, {
    dueShard: z.optional(z.string()),
    dueAt: z.optional(z.string()),
    timeToLive: z.optional(z.int()),
  });
  await update(
    database,
    'processorEvents',
    { sessionId, processorEventId },
    {
      set: { timeToLive: toEpochSeconds(now + retention) },
      remove: ['dueShard', 'dueAt'],
      condition: expression`attribute_exists(processorEventId)`,
    },
    dueRow,
  );
}

export function dueProcessorEvents(database: Database): DueRows<typeof eventKey> {
  return { database, table: 'processorEvents', duty: 'notification', key: eventKey };
}
