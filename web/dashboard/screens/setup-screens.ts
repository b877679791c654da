import { ApiKeys } from './api-keys.tsx';
import { AuditLog } from './audit-log.tsx';
import { Deliveries } from './deliveries.tsx';
import { Delivery } from './delivery.tsx';
import { Practices } from './practices.tsx';
import { Team } from './team.tsx';
import { TestBank } from './test-bank.tsx';
import { WebhookEndpoint } from './webhook-endpoint.tsx';
import { WebhookEndpoints } from './webhook-endpoints.tsx';

/** One chunk, because these screens are used together and many small chunks load slowly. */
export const setupScreens = {
  ApiKeys,
  AuditLog,
  Deliveries,
  Delivery,
  Practices,
  Team,
  TestBank,
  WebhookEndpoint,
  WebhookEndpoints,
};
