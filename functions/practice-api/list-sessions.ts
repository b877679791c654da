import { listSessionsRoute } from '../contract/practice-api/list-sessions.ts';
import { sessionStatus } from '../domain/session-status.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { listSessions } from '../sessions/list.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames('apiKeys', 'sessions')), mode: builtForMode };

export const handler = practiceRoute(tools, listSessionsRoute, async ({ practiceId }, { query }, { now }) => {
  const filter = { ...query, returned: query.returned === 'true' };
  const { sessions, nextCursor } = await listSessions(tools, { practiceId, ...filter }, now);
  return { body: { data: sessions.map((session) => sessionStatus(session, now)), nextCursor } };
});
