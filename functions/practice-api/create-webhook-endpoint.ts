import { randomBytes } from 'node:crypto';
import { createWebhookEndpointRoute } from '../contract/practice-api/create-webhook-endpoint.ts';
import { allowLoopbackWebhooks, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { addEndpoint } from '../practices/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('apiKeys', 'practices', 'rateLimits', 'webhookEndpoints', 'auditLog')),
  mode: builtForMode,
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  randomBytes,
};

export const handler = practiceRoute(tools, createWebhookEndpointRoute, async (caller, { body }, { now }) => ({
  body: await addEndpoint(tools, { ...body, ...caller }, now),
}));
