import { randomBytes } from 'node:crypto';
import { practiceEndpointRoutes } from '../contract/webhooks/webhook-endpoints.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { rotateSecret } from '../webhooks/signing-secrets.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, mode: builtForMode, randomBytes };

export const handler = practiceRoute(
  tools,
  practiceEndpointRoutes.rotateSigningSecret,
  ({ practiceId, author }, { params, body }, { now }) =>
    rotateSecret(tools, { ...body, ...params, practiceId, author }, now),
);
