import { cancelSessionRoute } from './practice-api/cancel-session.ts';
import { createSessionRoute } from './practice-api/create-session.ts';
import { getSessionStatusRoute } from './practice-api/get-session-status.ts';
import { listSessionsRoute } from './practice-api/list-sessions.ts';

/** The practice API by operation. A function imports its own route only, to keep its bundle small. */
export const practiceRoutes = {
  createSession: createSessionRoute,
  getSessionStatus: getSessionStatusRoute,
  listSessions: listSessionsRoute,
  cancelSession: cancelSessionRoute,
};
