import type {
  apiRoutes,
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
  livePatientRoutes,
  mailPatientRoutes,
  patientRoutes,
} from './routes.ts';
import type { managementProblems } from './management-problems.ts';
import type { receiveStripeEventRoute } from './payments/stripe.ts';
import type { Problems, methodNotAllowed, routeNotFound, serverProblems } from './problems.ts';

type CodeOf<Routes extends Record<string, { problems: Problems }>> = {
  [Name in keyof Routes]: keyof Routes[Name]['problems'];
}[keyof Routes];

export type PatientProblemCode =
  | CodeOf<typeof patientRoutes>
  | CodeOf<typeof livePatientRoutes>
  | CodeOf<typeof mailPatientRoutes>
  | keyof typeof serverProblems;
export type ProblemCode =
  | PatientProblemCode
  | CodeOf<typeof apiRoutes>
  | CodeOf<typeof dashboardRoutes>
  | keyof (typeof receiveStripeEventRoute)['problems']
  | CodeOf<typeof liveDashboardRoutes>
  | CodeOf<typeof sandboxDashboardRoutes>
  | keyof typeof routeNotFound
  | keyof typeof methodNotAllowed
  | keyof typeof managementProblems;

/** The caller's mistake. The message says what to do next. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    { extra = {}, headers = {} }: { extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}
