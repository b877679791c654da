import { listKeysRoute } from '../contract/dashboard-api/list-keys.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { listKeys } from '../practices/keys.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'apiKeys'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, listKeysRoute, async ({ practiceId }) => ({
  body: await listKeys(tools, { practiceId }),
}));
