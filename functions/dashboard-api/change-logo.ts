import { randomBytes } from 'node:crypto';
import { changeLogoRoute } from '../contract/dashboard-api/change-logo.ts';
import { dashboardUrl, pageBucketName, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { filePutter } from '../messages/practices/page-files.ts';
import { updateSettings } from '../practices/settings.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'practices', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
  randomBytes,
  putFile: filePutter(pageBucketName()),
};

export const handler = memberRoute(
  tools,
  changeLogoRoute,
  async ({ practiceId, author }, { body: { logo } }, { now }) => ({
    body: await updateSettings(tools, { practiceId, author, logo }, now),
  }),
);
