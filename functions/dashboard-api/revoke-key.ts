import { randomBytes } from 'node:crypto';
import { revokeKeyRoute } from '../contract/dashboard-api/revoke-key.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { revokeKey } from '../practices/keys.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'apiKeys', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), mode: builtForMode, randomBytes };

export const handler = memberRoute(
  tools,
  revokeKeyRoute,
  async ({ practiceId, author }, { params: { keyId } }, { now }) => ({
    body: await revokeKey(tools, { practiceId, keyId, author }, now),
  }),
);
