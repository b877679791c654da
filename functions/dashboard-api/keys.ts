import { randomBytes } from 'node:crypto';
import { keyRoutes } from '../contract/practices/dashboard-keys.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../practices/keys.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'practices', 'apiKeys', 'webhookEndpoints', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
  randomBytes,
};

export const handler = areaHandler(
  memberRoute(tools, keyRoutes.listKeys, async ({ practiceId }) => ({ body: await listKeys(tools, { practiceId }) })),
  memberRoute(tools, keyRoutes.createKey, async ({ practiceId, author }, { body }, { now }) => ({
    body: await addKey(tools, { ...body, practiceId, author }, now),
  })),
  memberRoute(tools, keyRoutes.rotateKey, async ({ practiceId, author }, { params: { keyId }, body }, { now }) => ({
    body: await rotateKey(tools, { ...body, practiceId, keyId, author }, now),
  })),
  memberRoute(tools, keyRoutes.revokeKey, async ({ practiceId, author }, { params: { keyId } }, { now }) => ({
    body: await revokeKey(tools, { practiceId, keyId, author }, now),
  })),
);
