import type {
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
} from '../../functions/contract/dashboard-routes.ts';

type Routes = typeof dashboardRoutes & typeof liveDashboardRoutes & typeof sandboxDashboardRoutes;

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
  erasePatient: { method: 'POST', path: `${practice}/sessions/{sessionId}/erase-patient` },
  cancelSession: { method: 'POST', path: `${practice}/sessions/{sessionId}/cancel` },
  replaceLink: { method: 'POST', path: `${practice}/sessions/{sessionId}/new-link` },
  getEvidence: { method: 'GET', path: `${practice}/sessions/{sessionId}/authorization` },
  listDeliveries: { method: 'GET', path: `${practice}/deliveries` },
  getDelivery: { method: 'GET', path: `${practice}/deliveries/{eventId}/{endpointId}` },
  resendDelivery: { method: 'POST', path: `${practice}/deliveries/{eventId}/{endpointId}/resend` },
  getSettings: { method: 'GET', path: `${practice}/settings` },
  listKeys: { method: 'GET', path: `${practice}/keys` },
  createKey: { method: 'POST', path: `${practice}/keys` },
  rotateKey: { method: 'POST', path: `${practice}/keys/{keyId}/rotate` },
  revokeKey: { method: 'POST', path: `${practice}/keys/{keyId}/revoke` },
  listWebhookEndpoints: { method: 'GET', path: `${practice}/webhook-endpoints` },
  createWebhookEndpoint: { method: 'POST', path: `${practice}/webhook-endpoints` },
  changeWebhookEndpoint: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}` },
  moveWebhookEndpoint: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}/url` },
  setWebhookEndpointStatus: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}/status` },
  deleteWebhookEndpoint: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}/delete` },
  revealSigningSecret: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}/reveal-secret` },
  rotateSigningSecret: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}/rotate-secret` },
  testWebhookEndpoint: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}/test` },
  replayWebhookEndpoint: { method: 'POST', path: `${practice}/webhook-endpoints/{endpointId}/replay` },
  changeSettings: { method: 'POST', path: `${practice}/settings` },
  changeLogo: { method: 'POST', path: `${practice}/logo` },
  acceptTerms: { method: 'POST', path: `${practice}/terms` },
  getDeposit: { method: 'GET', path: `${practice}/deposit` },
  startDepositOnboarding: { method: 'POST', path: `${practice}/deposit/onboarding` },
  getStatement: { method: 'GET', path: `${practice}/statement` },
  getTestBank: { method: 'GET', path: `${practice}/test-bank` },
  changeTestBankPassword: { method: 'POST', path: `${practice}/test-bank/password` },
  getTeam: { method: 'GET', path: `${practice}/team` },
  inviteMember: { method: 'POST', path: `${practice}/team/invitations` },
  revokeInvitation: { method: 'POST', path: `${practice}/team/invitations/{invitationId}/revoke` },
  changeMember: { method: 'POST', path: `${practice}/team/members/{userId}/role` },
  removeMember: { method: 'POST', path: `${practice}/team/members/{userId}/remove` },
  changeAlerts: { method: 'POST', path: `${practice}/team/alerts` },
  listAuditLog: { method: 'GET', path: `${practice}/audit-log` },
} as const satisfies { [Name in keyof Routes]?: Pick<Routes[Name], 'method' | 'path'> };

export type RouteName = keyof typeof routes;
type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;
export type PathParameters<Name extends RouteName> = Readonly<
  Record<ParametersOf<(typeof routes)[Name]['path']>, string>
>;
