import { randomBytes } from 'node:crypto';
import { practiceEndpointRoutes } from '../contract/webhooks/webhook-endpoints.ts';
import { allowLoopbackWebhooks, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { changeEndpoint } from '../webhooks/practice-endpoints.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames()),
  mode: builtForMode,
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  randomBytes,
};

export const handler = practiceRoute(
  tools,
  practiceEndpointRoutes.changeWebhookEndpoint,
  ({ practiceId, author }, { params, body }, { now }) =>
    changeEndpoint(tools, { ...body, ...params, practiceId, author }, now),
);
