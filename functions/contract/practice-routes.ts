import { advanceSessionRoute } from './practice-api/advance-session.ts';
import { cancelSessionRoute } from './practice-api/cancel-session.ts';
import { createSessionRoute } from './practice-api/create-session.ts';
import { getSessionStatusRoute } from './practice-api/get-session-status.ts';
import { listEventsRoute } from './practice-api/list-events.ts';
import { listSessionsRoute } from './practice-api/list-sessions.ts';
import { simulateSessionRoute } from './practice-api/simulate-session.ts';

/** A function imports only its own route, for a small bundle. */
export const practiceRoutes = {
  createSession: createSessionRoute,
  getSessionStatus: getSessionStatusRoute,
  listSessions: listSessionsRoute,
  cancelSession: cancelSessionRoute,
  listEvents: listEventsRoute,
};

export const sandboxPracticeRoutes = {
  simulateSession: simulateSessionRoute,
  advanceSession: advanceSessionRoute,
};
