import { randomBytes } from 'node:crypto';
import { createKeyRoute } from '../contract/dashboard-api/create-key.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { addKey } from '../practices/keys.ts';
import { connect } from '../store/database.ts';

const database = connect(
  tableNames('dashboardSessions', 'members', 'practices', 'apiKeys', 'webhookEndpoints', 'auditLog'),
);
const tools = { database, dashboardUrl: dashboardUrl(), mode: builtForMode, randomBytes };

export const handler = memberRoute(tools, createKeyRoute, async ({ practiceId, author }, { body }, { now }) => ({
  body: await addKey(tools, { ...body, practiceId, author }, now),
}));
