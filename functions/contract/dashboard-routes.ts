import { acceptInvitationRoute } from './dashboard-api/accept-invitation.ts';
import { acceptTermsRoute } from './dashboard-api/accept-terms.ts';
import { callbackRoute } from './dashboard-api/callback.ts';
import { cancelSessionRoute } from './dashboard-api/cancel-session.ts';
import { changeAlertsRoute } from './dashboard-api/change-alerts.ts';
import { changeLogoRoute } from './dashboard-api/change-logo.ts';
import { changeMemberRoute } from './dashboard-api/change-member.ts';
import { changeSettingsRoute } from './dashboard-api/change-settings.ts';
import { changeTestBankPasswordRoute } from './dashboard-api/change-test-bank-password.ts';
import { changeWebhookEndpointRoute } from './dashboard-api/change-webhook-endpoint.ts';
import { createKeyRoute } from './dashboard-api/create-key.ts';
import { createSessionRoute } from './dashboard-api/create-session.ts';
import { createWebhookEndpointRoute } from './dashboard-api/create-webhook-endpoint.ts';
import { deleteWebhookEndpointRoute } from './dashboard-api/delete-webhook-endpoint.ts';
import { erasePatientRoute } from './dashboard-api/erase-patient.ts';
import { getAlertsRoute } from './dashboard-api/get-alerts.ts';
import { getDeliveryRoute } from './dashboard-api/get-delivery.ts';
import { getDepositRoute } from './dashboard-api/get-deposit.ts';
import { getEvidenceRoute } from './dashboard-api/get-evidence.ts';
import { getHomeRoute } from './dashboard-api/get-home.ts';
import { getSessionRoute } from './dashboard-api/get-session.ts';
import { getSettingsRoute } from './dashboard-api/get-settings.ts';
import { getStatementRoute } from './dashboard-api/get-statement.ts';
import { getTeamRoute } from './dashboard-api/get-team.ts';
import { getTestBankRoute } from './dashboard-api/get-test-bank.ts';
import { inviteMemberRoute } from './dashboard-api/invite-member.ts';
import { listAuditLogRoute } from './dashboard-api/list-audit-log.ts';
import { listDeliveriesRoute } from './dashboard-api/list-deliveries.ts';
import { listKeysRoute } from './dashboard-api/list-keys.ts';
import { listSessionsRoute } from './dashboard-api/list-sessions.ts';
import { listWebhookEndpointsRoute } from './dashboard-api/list-webhook-endpoints.ts';
import { meRoute } from './dashboard-api/me.ts';
import { moveWebhookEndpointRoute } from './dashboard-api/move-webhook-endpoint.ts';
import { removeMemberRoute } from './dashboard-api/remove-member.ts';
import { replaceLinkRoute } from './dashboard-api/replace-link.ts';
import { replayWebhookEndpointRoute } from './dashboard-api/replay-webhook-endpoint.ts';
import { resendDeliveryRoute } from './dashboard-api/resend-delivery.ts';
import { revealSigningSecretRoute } from './dashboard-api/reveal-signing-secret.ts';
import { revokeInvitationRoute } from './dashboard-api/revoke-invitation.ts';
import { revokeKeyRoute } from './dashboard-api/revoke-key.ts';
import { rotateKeyRoute } from './dashboard-api/rotate-key.ts';
import { rotateSigningSecretRoute } from './dashboard-api/rotate-signing-secret.ts';
import { setWebhookEndpointStatusRoute } from './dashboard-api/set-webhook-endpoint-status.ts';
import { signInRoute } from './dashboard-api/sign-in.ts';
import { signOutRoute } from './dashboard-api/sign-out.ts';
import { startDepositOnboardingRoute } from './dashboard-api/start-deposit-onboarding.ts';
import { testWebhookEndpointRoute } from './dashboard-api/test-webhook-endpoint.ts';

export const dashboardRoutes = {
  acceptInvitation: acceptInvitationRoute,
  callback: callbackRoute,
  cancelSession: cancelSessionRoute,
  changeAlerts: changeAlertsRoute,
  changeLogo: changeLogoRoute,
  changeMember: changeMemberRoute,
  changeSettings: changeSettingsRoute,
  changeWebhookEndpoint: changeWebhookEndpointRoute,
  createKey: createKeyRoute,
  createSession: createSessionRoute,
  createWebhookEndpoint: createWebhookEndpointRoute,
  deleteWebhookEndpoint: deleteWebhookEndpointRoute,
  erasePatient: erasePatientRoute,
  getAlerts: getAlertsRoute,
  getDelivery: getDeliveryRoute,
  getEvidence: getEvidenceRoute,
  getHome: getHomeRoute,
  getSession: getSessionRoute,
  getSettings: getSettingsRoute,
  getTeam: getTeamRoute,
  inviteMember: inviteMemberRoute,
  listAuditLog: listAuditLogRoute,
  listDeliveries: listDeliveriesRoute,
  listKeys: listKeysRoute,
  listSessions: listSessionsRoute,
  listWebhookEndpoints: listWebhookEndpointsRoute,
  me: meRoute,
  moveWebhookEndpoint: moveWebhookEndpointRoute,
  removeMember: removeMemberRoute,
  replaceLink: replaceLinkRoute,
  replayWebhookEndpoint: replayWebhookEndpointRoute,
  resendDelivery: resendDeliveryRoute,
  revealSigningSecret: revealSigningSecretRoute,
  revokeInvitation: revokeInvitationRoute,
  revokeKey: revokeKeyRoute,
  rotateKey: rotateKeyRoute,
  rotateSigningSecret: rotateSigningSecretRoute,
  setWebhookEndpointStatus: setWebhookEndpointStatusRoute,
  signIn: signInRoute,
  signOut: signOutRoute,
  testWebhookEndpoint: testWebhookEndpointRoute,
};

export const sandboxDashboardRoutes = {
  changeTestBankPassword: changeTestBankPasswordRoute,
  getTestBank: getTestBankRoute,
};

export const liveDashboardRoutes = {
  acceptTerms: acceptTermsRoute,
  getDeposit: getDepositRoute,
  getStatement: getStatementRoute,
  startDepositOnboarding: startDepositOnboardingRoute,
};
