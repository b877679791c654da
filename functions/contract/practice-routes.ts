import { advanceSessionRoute } from './sessions/advance-session.ts';
import { cancelSessionRoute } from './sessions/cancel-session.ts';
import { changeWebhookEndpointRoute } from './webhooks/change-webhook-endpoint.ts';
import { getPayoutRoute, listPayoutsRoute } from './payments/payouts.ts';
import { createSessionRoute } from './sessions/create-session.ts';
import { createWebhookEndpointRoute } from './webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpointRoute } from './webhooks/delete-webhook-endpoint.ts';
import { erasePatientRoute } from './sessions/erase-patient.ts';
import { getSessionStatusRoute } from './sessions/get-session-status.ts';
import { listEventsRoute } from './webhooks/list-events.ts';
import { listSessionsRoute } from './sessions/list-sessions.ts';
import { simulateSessionRoute } from './sessions/simulate-session.ts';
import { listWebhookEndpointsRoute } from './webhooks/list-webhook-endpoints.ts';
import { rotateSigningSecretRoute } from './webhooks/rotate-signing-secret.ts';
import { testWebhookEndpointRoute } from './webhooks/test-webhook-endpoint.ts';

/** For tools. A function imports only its own route, so that its bundle stays small. */
export const practiceRoutes = {
  createSession: createSessionRoute,
  getSessionStatus: getSessionStatusRoute,
  listSessions: listSessionsRoute,
  cancelSession: cancelSessionRoute,
  erasePatient: erasePatientRoute,
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
