import { getSessionRoute } from '../contract/dashboard-api/get-session.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { getSessionDetail } from '../sessions/detail.ts';
import { findOwnSession } from '../sessions/find.ts';
import { memberSession } from '../sessions/for-member.ts';
import { findBlock } from '../sessions/status.ts';
import { connect } from '../store/database.ts';

const database = connect(
  tableNames('dashboardSessions', 'members', 'practices', 'sessions', 'invoiceClaims', 'events', 'deliveries'),
);
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(
  tools,
  getSessionRoute,
  async ({ practiceId, role }, { params: { sessionId } }, { now }) => {
    const session = await findOwnSession(tools, { practiceId, sessionId });
    const { block, blockingSessionId } = await findBlock(tools, session, now);
    return {
      body: {
        session: memberSession(session, role, block, now),
        blockingSessionId,
        ...(await getSessionDetail(tools, session)),
      },
    };
  },
);
