import { getSessionRoute } from '../contract/dashboard-api/get-session.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { getSessionDetail } from '../sessions/detail.ts';
import { findOwnSession } from '../sessions/find.ts';
import { memberSession } from '../sessions/for-member.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'sessions', 'events', 'deliveries'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(
  tools,
  getSessionRoute,
  async ({ practiceId, role }, { params: { sessionId } }, { now }) => {
    const session = await findOwnSession(tools, { practiceId, sessionId });
    return { body: { session: memberSession(session, role, now), ...(await getSessionDetail(tools, session)) } };
  },
);
