import { randomBytes } from 'node:crypto';
import { revealSigningSecretRoute } from '../contract/dashboard-api/reveal-signing-secret.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { revealSecret } from '../webhooks/signing-secrets.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  revealSigningSecretRoute,
  async ({ practiceId, author }, { params: { endpointId } }, { now }) => ({
    body: await revealSecret(tools, { practiceId, endpointId, author }, now),
  }),
);
