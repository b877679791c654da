import { listSessionsQuery } from '../contract/practice-api.ts';
import { practiceRoutes } from '../contract/practice-routes.ts';
import { cursorAfter, sessionIdOfCursor } from '../domain/cursor.ts';
import { mode, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { parseQuery } from '../http/query.ts';
import { connect } from '../store/database.ts';
import { listSessions } from '../store/session-list.ts';
import { Problem } from '../contract/problems.ts';

const database = connect(tableNames('apiKeys', 'sessions'));

/** Lists the practice's sessions, newest first, a page at a time. */
export const handler = practiceRoute(
  database,
  mode(),
  practiceRoutes.listSessions,
  async ({ practiceId }, { request, now }) => {
    const { status = [], invoiceId, limit, cursor } = parseQuery(request.rawQueryString, listSessionsQuery);
    const filter = { practiceId, statuses: [...new Set(status)], invoiceId };
    const before = cursor === undefined ? undefined : sessionIdOfCursor(cursor, filter);
    if (cursor !== undefined && before === undefined)
      throw new Problem(
        'invalid_cursor',
        'Use a cursor only with the filters that it was given for, or begin without one.',
      );

    const { sessions, more } = await listSessions(database, { ...filter, before, limit }, now);
    const last = sessions.at(-1);
    return { body: { data: sessions, nextCursor: more && last ? cursorAfter(last.sessionId, filter) : null } };
  },
);
