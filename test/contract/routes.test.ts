import { describe, expect, it, test } from 'vitest';
import {
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
  livePatientRoutes,
  patientRoutes,
  practiceRoutes,
} from '../../functions/contract/routes.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import { patientHeaders } from '../../functions/contract/patient-route.ts';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import { none, type Route } from '../../functions/contract/route.ts';
import { faultsOf } from './sent.ts';

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

describe('list queries', () => {
  it.each([
    ['listSessions', 'limit', '0', 'limit out_of_range'],
    ['listSessions', 'limit', '101', 'limit out_of_range'],
    ['listSessions', 'limit', '1000', 'limit out_of_range'],
    ['listSessions', 'limit', '-1', 'limit out_of_range'],
    ['listSessions', 'limit', 'ten', 'limit invalid_value'],
    ['listSessions', 'limit', ['1', '2'], 'limit invalid_type'],
    ['listSessions', 'status', 'paid', 'status invalid_value'],
    ['listSessions', 'invoiceId', '', 'invoiceId required'],
    ['listSessions', 'createdSince', 'yesterday', 'createdSince invalid_value'],
    ['listSessions', 'createdBefore', '2026-11-20', 'createdBefore invalid_value'],
    ['listSessions', 'returned', 'false', 'returned invalid_value'],
    ['listSessions', 'sort', 'asc', ' unknown_field'],
    ['listPayouts', 'since', 'today', 'since invalid_value'],
    ['listEvents', 'type', 'session.paid', 'type invalid_value'],
    ['listEvents', 'since', 'today', 'since invalid_value'],
    ['listEvents', 'limit', '101', 'limit out_of_range'],
    ['listEvents', 'sessionId', '', 'sessionId required'],
    ['listEvents', 'sort', 'asc', ' unknown_field'],
  ] as const)('%s refuses the parameter %s: %j', (route, name, value, fault) => {
    const faults = faultsOf(practiceRoutes[route], { query: { [name]: value } });
    expect(faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([fault]);
  });
});
