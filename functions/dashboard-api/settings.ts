import { randomBytes } from 'node:crypto';
import { settingsRoutes, dashboardPlatformRoutes } from '../contract/practices/dashboard-settings.ts';
import { dashboardUrl, pageBucketName, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { filePutter } from '../messages/practices/page-files.ts';
import { leavePlatform } from '../practices/platforms.ts';
import { searchPractices } from '../practices/platform-practices.ts';
import { getSettingsAndNeeds, updateSettings } from '../practices/settings.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames()),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
  randomBytes,
  putFile: filePutter(pageBucketName()),
};

export const handler = areaHandler(
  memberRoute(tools, settingsRoutes.getSettings, (caller) => getSettingsAndNeeds(tools, caller)),
  memberRoute(tools, settingsRoutes.changeSettings, ({ practiceId, author }, { body }, { now }) =>
    updateSettings(tools, { ...body, practiceId, author }, now),
  ),
  memberRoute(tools, settingsRoutes.changeLogo, ({ practiceId, author }, { body: { logo } }, { now }) =>
    updateSettings(tools, { practiceId, author, logo }, now),
  ),
  memberRoute(tools, dashboardPlatformRoutes.listPlatformPractices, ({ practiceId: platformId }, { query }) =>
    searchPractices(tools, { ...query, platformId }),
  ),
  memberRoute(tools, dashboardPlatformRoutes.endPlatformAccess, (caller, _request, { now }) =>
    leavePlatform(tools, caller, now),
  ),
);
