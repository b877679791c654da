import * as z from 'zod/mini';
import { endpointDisabled, endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { managementProblems } from '../management-problems.ts';
import { deliveryNotFound, deliveryParams } from './delivery.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const resendDeliveryRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/deliveries/{eventId}/{endpointId}/resend`,
  access: { role: 'staff' },
  summary: 'Resend a delivery',
  description: 'Sends the same event with the same id.',
  params: deliveryParams,
  status: 200,
  response: z.object({ eventId: z.string(), endpointId: z.string() }),
  problems: {
    ...memberProblems,
    ...deliveryNotFound,
    ...endpointNotFound,
    ...endpointDisabled,
    delivery_in_progress: managementProblems.delivery_in_progress,
  },
} as const satisfies MemberRoute;
