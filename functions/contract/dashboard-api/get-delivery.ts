import { deliveryDetail, deliveryNotFound, deliveryParams } from './delivery.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const getDeliveryRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/deliveries/{eventId}/{endpointId}`,
  access: { role: 'viewer' },
  summary: 'Show a delivery',
  description: 'With every attempt.',
  params: deliveryParams,
  status: 200,
  response: deliveryDetail,
  problems: { ...memberProblems, ...deliveryNotFound },
} as const satisfies MemberRoute;
