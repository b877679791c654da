import { practiceEndpointRoutes } from '../contract/webhooks/webhook-endpoints.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { connect } from '../store/database.ts';
import { showEndpoint } from '../webhooks/webhook-endpoints.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(tools, practiceEndpointRoutes.getWebhookEndpoint, (caller, { params }) =>
  showEndpoint(tools, { ...caller, ...params }),
);
