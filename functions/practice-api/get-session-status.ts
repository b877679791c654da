import { practiceRoutes } from '../contract/practice-routes.ts';
import { isSessionId } from '../domain/identifier.ts';
import { withExpiry } from '../domain/session.ts';
import { mode, tableNames } from '../environment.ts';
import { practiceEndpoint } from '../http/practice-endpoint.ts';
import { Problem } from '../http/problem.ts';
import { connect } from '../store/database.ts';
import { getSession } from '../store/sessions.ts';

const database = connect(tableNames('apiKeys', 'sessions'));

/** Tells one session's status, read strongly. Another practice's session is as if it did not exist. */
export const handler = practiceEndpoint(database, mode(), practiceRoutes.getSessionStatus, async ({ practiceId }, { request, now }) => {
  const sessionId = request.pathParameters?.['sessionId'] ?? '';
  const found = isSessionId(sessionId) ? await getSession(database, sessionId) : undefined;
  if (found?.practiceId !== practiceId) throw new Problem('session_not_found', 'Check the session id.');
  return { body: withExpiry(found, now) };
});
