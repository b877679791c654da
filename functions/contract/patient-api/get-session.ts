import type { Route } from '../route.ts';
import { linkNotFound, returnsView } from './patient-route.ts';

export const getSessionRoute = {
  ...returnsView,
  method: 'GET',
  path: '/api/patient/session',
  summary: 'Get the view',
  description: 'Changes nothing, so link previews and mail scanners are harmless.',
  problems: linkNotFound,
} as const satisfies Route;
