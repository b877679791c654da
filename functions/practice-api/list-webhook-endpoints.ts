import { practiceEndpointRoutes } from '../contract/webhooks/webhook-endpoints.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { listEndpoints } from '../webhooks/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(tools, practiceEndpointRoutes.listWebhookEndpoints, async (caller) => ({
  data: (await listEndpoints(tools, caller)).endpoints,
}));
