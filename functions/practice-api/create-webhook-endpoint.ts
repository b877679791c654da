import { randomBytes } from 'node:crypto';
import { practiceEndpointRoutes } from '../contract/webhooks/webhook-endpoints.ts';
import { answerOnce } from '../contract/idempotency.ts';
import { allowLoopbackWebhooks, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { addEndpointOnce } from '../webhooks/practice-endpoints.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames()),
  mode: builtForMode,
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  randomBytes,
};

export const handler = practiceRoute(
  tools,
  practiceEndpointRoutes.createWebhookEndpoint,
  async ({ practiceId, author }, { body, headers }, { now, answerHeaders }) => {
    const input = { ...body, practiceId, author, idempotencyKey: headers['idempotency-key'] };
    return answerOnce(await addEndpointOnce(tools, input, now), answerHeaders);
  },
);
