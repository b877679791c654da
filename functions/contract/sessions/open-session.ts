import type { Route } from '../route.ts';
import { linkProblems, returnsView } from '../patient-route.ts';

export const openSessionRoute = {
  ...returnsView,
  method: 'POST',
  path: '/api/patient/session/open',
  summary: 'Register the first open',
  description: "Starts the session's clock. Later calls change nothing.",
  problems: linkProblems,
} as const satisfies Route;
