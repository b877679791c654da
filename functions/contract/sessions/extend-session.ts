import type { Route } from '../route.ts';
import { linkProblems, pendingProblems, returnsView } from '../patient-route.ts';

export const extendSessionRoute = {
  ...returnsView,
  method: 'POST',
  path: '/api/patient/session/extend',
  summary: 'Extend the session',
  description: 'In its last five minutes, by a whole period, at most ten times.',
  problems: {
    ...linkProblems,
    ...pendingProblems,
    too_early_to_extend: { status: 409, title: 'The session has more than five minutes left.' },
    no_extensions_left: { status: 409, title: 'The session cannot be extended.' },
  },
} as const satisfies Route;
