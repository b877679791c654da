import { practiceRoutes } from '../contract/practice-routes.ts';
import { withExpiry } from '../domain/session.ts';
import { mode, tableNames } from '../environment.ts';
import { practiceRoute, requireOwnSession } from '../http/practice-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('apiKeys', 'sessions'));

/** Tells one session's status, read strongly. Another practice's session is as if it did not exist. */
export const handler = practiceRoute(
  database,
  mode(),
  practiceRoutes.getSessionStatus,
  async ({ practiceId }, { request, now }) => {
    const session = await requireOwnSession(database, practiceId, request);
    return { body: withExpiry(session, now) };
  },
);
