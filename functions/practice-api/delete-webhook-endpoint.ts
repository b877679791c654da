import { randomBytes } from 'node:crypto';
import { practiceEndpointRoutes } from '../contract/webhooks/webhook-endpoints.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { deleteEndpoint } from '../webhooks/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, mode: builtForMode, randomBytes };

export const handler = practiceRoute(
  tools,
  practiceEndpointRoutes.deleteWebhookEndpoint,
  (caller, { params }, { now }) => deleteEndpoint(tools, { ...caller, ...params }, now),
);
