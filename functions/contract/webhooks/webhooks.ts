import * as z from 'zod/mini';
import type { PracticeEventType } from '../../domain/practices/platform.ts';
import { testEventType, webhookApiVersion } from '../../domain/webhooks/event.ts';
import { sessionFacts } from '../../domain/sessions/session.ts';
import { isoTime } from '../../domain/time.ts';
import { sessionEventTypes, sessionStatuses } from '../../domain/sessions/transitions.ts';

export const testWebhook = z.strictObject({
  id: z.string(),
  type: z.literal(testEventType),
  created_at: isoTime,
  api_version: z.enum([webhookApiVersion]),
  livemode: z.boolean(),
  practiceId: z.string(),
  data: z.strictObject({}),
});

/** Only a platform's endpoints get these two. */
const practiceWebhook = {
  id: z.string(),
  created_at: isoTime,
  api_version: z.enum([webhookApiVersion]),
  livemode: z.boolean(),
  practiceId: z.string(),
};

export const practiceJoinedWebhook = z.strictObject({
  ...practiceWebhook,
  type: z.literal('practice.joined' satisfies PracticeEventType),
  data: z.strictObject({ joinedAt: isoTime }),
});

export const practiceLeftWebhook = z.strictObject({
  ...practiceWebhook,
  type: z.literal('practice.left' satisfies PracticeEventType),
  data: z.strictObject({ joinedAt: isoTime, leftAt: isoTime }),
});

export const sessionWebhook = z.strictObject({
  id: z.string().check(z.regex(/^evt_[0-9A-Z]{26}_\d+$/)),
  type: z.enum(sessionEventTypes),
  created_at: isoTime,
  api_version: z.enum([webhookApiVersion]),
  livemode: z.boolean(),
  practiceId: z.string(),
  data: z.strictObject({
    sessionId: z.string(),
    invoiceId: z.string(),
    amountCents: z.int(),
    status: z.enum(sessionStatuses),
    /** Absent if the status did not change, as in `session.payment.opened`. */
    previousStatus: z.optional(z.enum(sessionStatuses)),
    sequence: z.int(),
    ...sessionFacts,
    metadata: z.record(z.string(), z.string()),
  }),
});
export type SessionWebhook = z.infer<typeof sessionWebhook>;
