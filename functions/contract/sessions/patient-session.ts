import type { Route } from '../route.ts';
import { linkProblems, returnsView } from '../patient-route.ts';

export const getSessionRoute = {
  ...returnsView,
  method: 'GET',
  path: '/api/patient/session',
  summary: 'Get the view',
  description: 'Changes nothing, so link previews and mail scanners are harmless.',
  problems: linkProblems,
} as const satisfies Route;
