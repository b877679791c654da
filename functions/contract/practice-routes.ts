import { advanceSessionRoute, simulateSessionRoute } from './sessions/sandbox-session.ts';
import { cancelSessionRoute } from './sessions/cancel-session.ts';
import {
  changeWebhookEndpointRoute,
  createWebhookEndpointRoute,
  rotateSigningSecretRoute,
} from './webhooks/webhook-endpoints.ts';
import { getPayoutRoute, listPayoutsRoute } from './payments/payouts.ts';
import { createSessionRoute } from './sessions/create-session.ts';
import {
  deleteWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  testWebhookEndpointRoute,
} from './webhooks/webhook-endpoint.ts';
import { getAuthorizationRoute } from './sessions/get-authorization.ts';
import { erasePatientRoute, getSessionStatusRoute } from './sessions/session.ts';
import { listEventsRoute } from './webhooks/list-events.ts';
import { listSessionsRoute } from './sessions/list-sessions.ts';

/** For tools. A function imports only its own route, so that its bundle stays small. */
export const practiceRoutes = {
  createSession: createSessionRoute,
  getSessionStatus: getSessionStatusRoute,
  listSessions: listSessionsRoute,
  cancelSession: cancelSessionRoute,
  erasePatient: erasePatientRoute,
  getAuthorization: getAuthorizationRoute,
  listEvents: listEventsRoute,
  listPayouts: listPayoutsRoute,
  getPayout: getPayoutRoute,
  listWebhookEndpoints: listWebhookEndpointsRoute,
  createWebhookEndpoint: createWebhookEndpointRoute,
  changeWebhookEndpoint: changeWebhookEndpointRoute,
  deleteWebhookEndpoint: deleteWebhookEndpointRoute,
  rotateSigningSecret: rotateSigningSecretRoute,
  testWebhookEndpoint: testWebhookEndpointRoute,
};

export const sandboxPracticeRoutes = {
  simulateSession: simulateSessionRoute,
  advanceSession: advanceSessionRoute,
};
