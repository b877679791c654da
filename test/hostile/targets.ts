import {
  apiRoutes,
  dashboardRoutes,
  liveDashboardRoutes,
  livePatientRoutes,
  patientRoutes,
  sandboxDashboardRoutes,
} from '../../functions/contract/routes.ts';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import type { Route } from '../../functions/contract/route.ts';
import type { StackOptions } from '../drill/stack-process.ts';
import type { Target } from '../support/hostile-requests.ts';
import { exampleBody } from './example.ts';

/** Whose credential the target's requests carry. */
export type Caller = 'practice' | 'platform' | 'patient' | 'member' | 'stripe';

export interface NamedTarget extends Target {
  readonly name: string;
  readonly caller: Caller;
  readonly host: 'apiUrl' | 'hostedUrl' | 'dashboardUrl';
}

/** Better examples than a schema gives. */
const bodies: Readonly<Record<string, unknown>> = {
  createSession: {
    invoiceId: 'INV-1',
    amountCents: 100,
    patient: { firstName: 'Zoë', lastName: 'Okafor' },
    metadata: { location: 'north', 'visit type': 'x' },
  },
  connectBank: { username: 'user_stuck', password: '<PASSWORD>' },
  authorizePayment: { authorizationAccepted: true, authorizationId: '<AUTHORIZATION_ID>' },
  receiveStripeEvent: {
    id: 'evt_1',
    object: 'event',
    account: 'acct_1',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1', object: 'payment_intent', metadata: { sessionId: '<SESSION_ID>' } } },
  },
};

/** Every route of the stage, and paths that neither the API nor a page has. */
export function targetsOf(stage: StackOptions['stage']): NamedTarget[] {
  const isLive = stage === 'production';
  const named = (
    routes: Readonly<Record<string, Route>>,
    host: NamedTarget['host'],
    callerOf: (path: string) => Caller,
  ): NamedTarget[] =>
    Object.entries(routes).map(([name, route]) => ({
      name: `${host} ${name}`,
      method: route.method,
      path: route.path,
      body: bodies[name] ?? exampleBody(route),
      caller: callerOf(route.path),
      host,
    }));
  const anyPath = { method: 'GET', path: '$default', body: undefined };
  return [
    ...named(apiRoutes, 'apiUrl', (path) => (path.startsWith('/api/platform') ? 'platform' : 'practice')),
    ...named({ ...patientRoutes, ...(isLive && livePatientRoutes) }, 'hostedUrl', () => 'patient'),
    ...named(
      { ...dashboardRoutes, ...(isLive ? liveDashboardRoutes : sandboxDashboardRoutes) },
      'dashboardUrl',
      () => 'member',
    ),
    ...named(isLive ? { receiveStripeEvent: receiveStripeEventRoute } : {}, 'apiUrl', () => 'stripe'),
    { ...anyPath, name: 'apiUrl other paths', host: 'apiUrl', caller: 'practice' },
    { ...anyPath, name: 'hostedUrl other paths', host: 'hostedUrl', caller: 'patient' },
    { ...anyPath, name: 'hostedUrl link', host: 'hostedUrl', caller: 'patient', path: '/s/{token}' },
    { ...anyPath, name: 'dashboardUrl other paths', host: 'dashboardUrl', caller: 'member' },
  ];
}
