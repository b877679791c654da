import { listSessionsRoute } from '../contract/dashboard-api/list-sessions.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { memberSession } from '../sessions/for-member.ts';
import { listSessions } from '../sessions/list.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'sessions')),
  dashboardUrl: dashboardUrl(),
};

export const handler = memberRoute(tools, listSessionsRoute, async ({ practiceId, role }, { query }, { now }) => {
  const filter = { ...query, returned: query.returned === 'true' };
  const { sessions, nextCursor } = await listSessions(tools, { practiceId, ...filter }, now);
  return { body: { data: sessions.map((session) => memberSession(session, role, now)), nextCursor } };
});
