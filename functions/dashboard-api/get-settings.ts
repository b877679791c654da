import { getSettingsRoute } from '../contract/dashboard-api/get-settings.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { getSettings } from '../practices/settings.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, getSettingsRoute, async ({ practiceId }) => ({
  body: await getSettings(tools, { practiceId }),
}));
