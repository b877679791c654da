import * as z from 'zod/mini';
import { sessionIdOfEvent } from '../../domain/webhooks/event.ts';
import { Fault } from '../../domain/fault.ts';
import { logFault } from '../../log.ts';
import { streamHandler } from '../stream-handler.ts';

const key = z.pipe(
  z.object({ eventId: z.object({ S: z.string() }) }),
  z.transform(({ eventId }) => eventId.S),
);

/** Handles the stream of events that report an authorization. */
export function evidenceStreamHandler(work: (session: { sessionId: string }) => Promise<void>) {
  return streamHandler({
    key,
    async work(eventId) {
      const sessionId = sessionIdOfEvent(eventId);
      if (sessionId === undefined) throw new Fault('the event belongs to no session');
      await work({ sessionId });
    },
    logFailure: (error, fields) => logFault('evidence not archived', error, fields),
  });
}
