import {
  apiRoutes,
  dashboardRoutes,
  liveDashboardRoutes,
  livePatientRoutes,
  sandboxDashboardRoutes,
  patientRoutes,
} from '../../functions/contract/routes.ts';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import { managementProblems } from '../../functions/contract/management-problems.ts';
import { Problem, type ProblemCode } from '../../functions/contract/problem.ts';
import { methodNotAllowed, routeNotFound, serverProblems, type Problems } from '../../functions/contract/problems.ts';

export const declared: readonly Problems[] = [
  serverProblems,
  routeNotFound,
  methodNotAllowed,
  managementProblems,
  receiveStripeEventRoute.problems,
  ...[
    apiRoutes,
    patientRoutes,
    livePatientRoutes,
    dashboardRoutes,
    liveDashboardRoutes,
    sandboxDashboardRoutes,
  ].flatMap((routes) => Object.values(routes).map(({ problems }) => problems)),
];

export const problems = Object.assign({}, ...declared) as Record<ProblemCode, Problems[string]>;

export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('no problem');
}
