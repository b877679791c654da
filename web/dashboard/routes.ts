import type { dashboardRoutes } from '../../functions/contract/dashboard-routes.ts';

type Routes = typeof dashboardRoutes;

const practice = '/api/dashboard/practices/{practiceId}';

/** Repeated to keep the contract's schemas out of the bundle. */
export const routes = {
  me: { method: 'GET', path: '/api/dashboard/me' },
  acceptInvitation: { method: 'POST', path: '/api/dashboard/invitations/accept' },
  signOut: { method: 'POST', path: '/api/dashboard/sign-out' },
  getHome: { method: 'GET', path: `${practice}/home` },
  getAlerts: { method: 'GET', path: `${practice}/alerts` },
  listSessions: { method: 'GET', path: `${practice}/sessions` },
  createSession: { method: 'POST', path: `${practice}/sessions` },
  getSession: { method: 'GET', path: `${practice}/sessions/{sessionId}` },
  cancelSession: { method: 'POST', path: `${practice}/sessions/{sessionId}/cancel` },
  replaceLink: { method: 'POST', path: `${practice}/sessions/{sessionId}/new-link` },
  getEvidence: { method: 'GET', path: `${practice}/sessions/{sessionId}/authorization` },
  listDeliveries: { method: 'GET', path: `${practice}/deliveries` },
  getDelivery: { method: 'GET', path: `${practice}/deliveries/{eventId}/{endpointId}` },
  resendDelivery: { method: 'POST', path: `${practice}/deliveries/{eventId}/{endpointId}/resend` },
  getSettings: { method: 'GET', path: `${practice}/settings` },
} as const satisfies { [Name in keyof Routes]?: Pick<Routes[Name], 'method' | 'path'> };

export type RouteName = keyof typeof routes;
type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;
export type PathParameters<Name extends RouteName> = Readonly<
  Record<ParametersOf<(typeof routes)[Name]['path']>, string>
>;
