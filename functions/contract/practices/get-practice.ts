import * as z from 'zod/mini';
import { scopes } from '../../domain/practices/api-key.ts';
import { modes } from '../../domain/mode.ts';
import { isoTime } from '../../domain/time.ts';
import { keyProblems, type PracticeRoute, withKey } from '../practice-route.ts';

export const callingPractice = z.object({
  practiceId: z.string(),
  name: z.string(),
  mode: z.enum(modes),
  apiKey: z.object({
    keyId: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    expiresAt: z.optional(isoTime),
  }),
});

export const getPracticeRoute = {
  ...withKey('any', 'GET', '/api/practice'),
  summary: 'Get the practice of your key',
  description:
    'Whose key this is, in which mode, what it may do and when it ends. Changes nothing but the day of the last use of the key.',
  response: callingPractice,
  problems: keyProblems,
} as const satisfies PracticeRoute;
