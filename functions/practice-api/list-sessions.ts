import { practiceSessionRoutes } from '../contract/sessions/session.ts';
import { sessionStatus } from '../domain/sessions/session-status.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { listWithBlocks } from '../sessions/list.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(
  tools,
  practiceSessionRoutes.listSessions,
  async ({ practiceId }, { query }, { now }) => {
    const filter = { ...query, returned: query.returned === 'true' };
    const { sessions, blocks, nextCursor } = await listWithBlocks(tools, { practiceId, ...filter }, now);
    const data = sessions.map((session) => sessionStatus(session, blocks.get(session.sessionId), now));
    return { data, nextCursor };
  },
);
