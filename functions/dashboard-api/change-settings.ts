import { randomBytes } from 'node:crypto';
import { changeSettingsRoute } from '../contract/dashboard-api/change-settings.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { Fault } from '../domain/fault.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { updateSettings } from '../practices/settings.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'practices', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
  randomBytes,
  putFile: () => Promise.reject(new Fault('this route takes no logo')),
};

export const handler = memberRoute(tools, changeSettingsRoute, async ({ practiceId, author }, { body }, { now }) => ({
  body: await updateSettings(tools, { ...body, practiceId, author }, now),
}));
