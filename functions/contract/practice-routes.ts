import { advanceSessionRoute } from './practice-api/advance-session.ts';
import { cancelSessionRoute } from './practice-api/cancel-session.ts';
import { changeWebhookEndpointRoute } from './practice-api/change-webhook-endpoint.ts';
import { createSessionRoute } from './practice-api/create-session.ts';
import { createWebhookEndpointRoute } from './practice-api/create-webhook-endpoint.ts';
import { deleteWebhookEndpointRoute } from './practice-api/delete-webhook-endpoint.ts';
import { erasePatientRoute } from './practice-api/erase-patient.ts';
import { getSessionStatusRoute } from './practice-api/get-session-status.ts';
import { listEventsRoute } from './practice-api/list-events.ts';
import { listSessionsRoute } from './practice-api/list-sessions.ts';
import { simulateSessionRoute } from './practice-api/simulate-session.ts';
import { listWebhookEndpointsRoute } from './practice-api/list-webhook-endpoints.ts';
import { rotateSigningSecretRoute } from './practice-api/rotate-signing-secret.ts';
import { testWebhookEndpointRoute } from './practice-api/test-webhook-endpoint.ts';

/** For tools. A function imports only its own route, so that its bundle stays small. */
export const practiceRoutes = {
  createSession: createSessionRoute,
  getSessionStatus: getSessionStatusRoute,
  listSessions: listSessionsRoute,
  cancelSession: cancelSessionRoute,
  erasePatient: erasePatientRoute,
  listEvents: listEventsRoute,
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
