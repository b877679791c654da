import * as z from 'zod/mini';
import { endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { invalidCursor } from '../page.ts';
import { sessionNotFound } from '../sessions/session.ts';
import { invalidRequest } from '../problems.ts';
import { deliveryStatus, deliverySummary } from './delivery.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

const listDeliveriesQuery = z.strictObject({
  status: z.optional(deliveryStatus),
  endpointId: z.optional(z.string().check(z.maxLength(100))),
  sessionId: z.optional(z.string().check(z.maxLength(100))),
  cursor: z.optional(z.string().check(z.maxLength(4000))),
});

const deliveryList = z.object({ data: z.array(deliverySummary), nextCursor: z.nullable(z.string()) });

export const listDeliveriesRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/deliveries`,
  access: { role: 'viewer' },
  summary: 'List webhook deliveries',
  description: 'Newest first. A page can be short or empty: a null `nextCursor` alone ends the list.',
  params: practiceParams,
  query: listDeliveriesQuery,
  status: 200,
  response: deliveryList,
  problems: { ...memberProblems, ...invalidRequest, ...sessionNotFound, ...endpointNotFound, ...invalidCursor },
} as const satisfies MemberRoute;
