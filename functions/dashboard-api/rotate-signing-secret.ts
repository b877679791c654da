import { randomBytes } from 'node:crypto';
import { rotateSigningSecretRoute } from '../contract/dashboard-api/rotate-signing-secret.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { rotateSecret } from '../webhooks/signing-secrets.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  rotateSigningSecretRoute,
  async ({ practiceId, author }, { params: { endpointId }, body }, { now }) => ({
    body: await rotateSecret(tools, { ...body, practiceId, endpointId, author }, now),
  }),
);
