import * as z from 'zod/mini';
import { patient } from '../../domain/sessions/session.ts';
import { sessionStatusBody } from '../sessions/session.ts';
import { practiceParams } from './dashboard-route.ts';

/** Viewers do not see the patient's name, and nobody does once it is scrubbed. */
export const memberSession = z.extend(sessionStatusBody, {
  patient: z.optional(patient),
});
export type MemberSession = z.infer<typeof memberSession>;

export const sessionParams = z.extend(practiceParams, { sessionId: z.string() });
