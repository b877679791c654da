import * as z from 'zod/mini';
import { sessionStatusBody } from '../practice-api/session.ts';
import { practiceParams } from './dashboard-route.ts';

/** Viewers do not see the patient's name. */
export const memberSession = z.extend(sessionStatusBody, {
  patient: z.optional(z.object({ firstName: z.string(), lastName: z.string() })),
});
export type MemberSession = z.infer<typeof memberSession>;

export const sessionParams = z.extend(practiceParams, { sessionId: z.string() });
