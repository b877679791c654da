import { expect, test } from 'vitest';
import {
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
} from '../../functions/contract/dashboard-routes.ts';
import { patientHeaders } from '../../functions/contract/patient-route.ts';
import { livePatientRoutes, patientRoutes } from '../../functions/contract/patient-routes.ts';
import { practiceRoutes, sandboxPracticeRoutes } from '../../functions/contract/practice-routes.ts';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import { none, type Route } from '../../functions/contract/route.ts';

/** Nothing that arrives breaks these. */
const takesAnything: Route['headers'][] = [none, patientHeaders];

const routes: Readonly<Record<string, Route>>[] = [
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
  patientRoutes,
  livePatientRoutes,
  practiceRoutes,
  sandboxPracticeRoutes,
  { receiveStripeEvent: receiveStripeEventRoute },
];

test.each(
  routes
    .flatMap((each) => Object.values(each))
    .filter(({ query, headers, body }) => [query, headers, body].some((schema) => !takesAnything.includes(schema)))
    .map((route) => [`${route.method} ${route.path}`, route] as const),
)('%s can say what is wrong with a request', (_, { problems }) => {
  expect(problems).toHaveProperty('invalid_request');
});
