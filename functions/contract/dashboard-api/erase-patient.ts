import { erasedPatient, erasureProblems } from '../sessions/erase-patient.ts';
import { sessionNotFound } from '../sessions/session.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';
import { sessionParams } from './session.ts';

export const erasePatientRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/sessions/{sessionId}/erase-patient`,
  access: { role: 'admin', recentSignIn: 'live_mode' },
  summary: "Erase a session's patient",
  description: 'As in the practice API. In live mode, it needs a sign-in within the last 5 minutes.',
  params: sessionParams,
  status: 200,
  response: erasedPatient,
  problems: { ...memberProblems, ...sessionNotFound, ...erasureProblems },
} as const satisfies MemberRoute;
