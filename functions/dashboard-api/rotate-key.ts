import { randomBytes } from 'node:crypto';
import { rotateKeyRoute } from '../contract/dashboard-api/rotate-key.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { rotateKey } from '../practices/keys.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'apiKeys', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), mode: builtForMode, randomBytes };

export const handler = memberRoute(
  tools,
  rotateKeyRoute,
  async ({ practiceId, author }, { params: { keyId }, body }, { now }) => ({
    body: await rotateKey(tools, { ...body, practiceId, keyId, author }, now),
  }),
);
