import { sandboxPracticeRoutes } from './sessions/sandbox-session.ts';
import { practiceEndpointRoutes } from './webhooks/webhook-endpoints.ts';
import { practiceDeliveryRoutes } from './webhooks/endpoint-deliveries.ts';
import { practicePayoutRoutes } from './payments/payouts.ts';
import { createSessionRoute } from './sessions/create-session.ts';
import { practiceSessionRoutes } from './sessions/session.ts';
import { listEventsRoute } from './webhooks/list-events.ts';
import { bankPickerRoutes, patientPaymentRoutes } from './payments/patient-payment.ts';
import { mailCopyRoutes, patientSessionRoutes } from './sessions/patient-session.ts';
import { livePayoutRoutes } from './payments/dashboard-payouts.ts';
import { liveGoingLiveRoutes } from './practices/dashboard-going-live.ts';
import { getPracticeRoute } from './practices/get-practice.ts';
import { livePlatformApiRoutes, platformApiRoutes } from './practices/platform-practices.ts';
import { keyRoutes } from './practices/dashboard-keys.ts';
import { settingsRoutes, sandboxTestBankRoutes, dashboardPlatformRoutes } from './practices/dashboard-settings.ts';
import { sessionRoutes } from './sessions/dashboard-sessions.ts';
import { homeRoutes } from './team/dashboard-home.ts';
import { meRoutes } from './team/dashboard-me.ts';
import { signInRoutes } from './team/dashboard-sign-in.ts';
import { teamRoutes } from './team/dashboard-team.ts';
import { deliveryRoutes } from './webhooks/dashboard-deliveries.ts';
import { endpointRoutes } from './webhooks/dashboard-endpoints.ts';

/** For tools only. Functions import routes from the route's own file, so that their bundles stay small. */
export const practiceRoutes = {
  getPractice: getPracticeRoute,
  createSession: createSessionRoute,
  ...practiceSessionRoutes,
  listEvents: listEventsRoute,
  ...practicePayoutRoutes,
  ...practiceEndpointRoutes,
  ...practiceDeliveryRoutes,
};

/** Every route for a practice's or platform's software, in both modes. */
export const apiRoutes = {
  ...practiceRoutes,
  ...platformApiRoutes,
  ...livePlatformApiRoutes,
  ...sandboxPracticeRoutes,
};

export const patientRoutes = { ...patientSessionRoutes, ...patientPaymentRoutes };
export const mailPatientRoutes = mailCopyRoutes;
export const livePatientRoutes = bankPickerRoutes;

export const dashboardRoutes = {
  ...signInRoutes,
  ...meRoutes,
  ...homeRoutes,
  ...sessionRoutes,
  ...deliveryRoutes,
  ...endpointRoutes,
  ...keyRoutes,
  ...settingsRoutes,
  ...dashboardPlatformRoutes,
  ...teamRoutes,
};

export const sandboxDashboardRoutes = sandboxTestBankRoutes;

export const liveDashboardRoutes = { ...liveGoingLiveRoutes, ...livePayoutRoutes };
