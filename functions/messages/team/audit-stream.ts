import * as z from 'zod/mini';
import { logFault } from '../../log.ts';
import { streamHandler } from '../stream-handler.ts';

const key = z.pipe(
  z.object({ practiceId: z.object({ S: z.string() }), entryId: z.object({ S: z.string() }) }),
  z.transform(({ practiceId, entryId }) => ({ practiceId: practiceId.S, entryId: entryId.S })),
);

export function auditStreamHandler(work: (entry: { practiceId: string; entryId: string }) => Promise<void>) {
  return streamHandler({
    key,
    work,
    logFailure: (error, fields) => logFault('audit entry failed', error, fields),
  });
}
