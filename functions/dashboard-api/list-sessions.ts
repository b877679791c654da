import { listSessionsRoute } from '../contract/dashboard-api/list-sessions.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { memberSession } from '../sessions/for-member.ts';
import { listWithBlocks } from '../sessions/status.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'practices', 'sessions', 'invoiceClaims')),
  dashboardUrl: dashboardUrl(),
};

export const handler = memberRoute(tools, listSessionsRoute, async ({ practiceId, role }, { query }, { now }) => {
  const filter = { ...query, returned: query.returned === 'true' };
  const { sessions, blocks, nextCursor } = await listWithBlocks(tools, { practiceId, ...filter }, now);
  const data = sessions.map((session) => memberSession(session, role, blocks.get(session.sessionId), now));
  return { body: { data, nextCursor } };
});
