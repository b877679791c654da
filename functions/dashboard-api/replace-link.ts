import { randomBytes } from 'node:crypto';
import { replaceLinkRoute } from '../contract/dashboard-api/replace-link.ts';
import { dashboardUrl, hostedPageUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { replaceLink } from '../sessions/replace-link.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'sessions', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), hostedPageUrl: hostedPageUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  replaceLinkRoute,
  async ({ practiceId, author }, { params: { sessionId } }, { now }) => ({
    body: await replaceLink(tools, { practiceId, sessionId, author }, now),
  }),
);
