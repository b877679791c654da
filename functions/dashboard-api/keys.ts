import { randomBytes } from 'node:crypto';
import { keyRoutes } from '../contract/practices/dashboard-keys.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../practices/keys.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), dashboardUrl: dashboardUrl(), mode: builtForMode, randomBytes };

export const handler = areaHandler(
  memberRoute(tools, keyRoutes.listKeys, (caller) => listKeys(tools, caller)),
  memberRoute(tools, keyRoutes.createKey, ({ practiceId, author }, { body }, { now }) =>
    addKey(tools, { ...body, practiceId, author }, now),
  ),
  memberRoute(tools, keyRoutes.rotateKey, ({ author }, { params, body }, { now }) =>
    rotateKey(tools, { ...body, ...params, author }, now),
  ),
  memberRoute(tools, keyRoutes.revokeKey, ({ author }, { params }, { now }) =>
    revokeKey(tools, { ...params, author }, now),
  ),
);
