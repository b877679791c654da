import { livePayoutRoutes } from './payments/dashboard-payouts.ts';
import { liveGoingLiveRoutes } from './practices/dashboard-going-live.ts';
import { keyRoutes } from './practices/dashboard-keys.ts';
import { settingsRoutes } from './practices/dashboard-settings.ts';
import { sandboxTestBankRoutes } from './practices/dashboard-test-bank.ts';
import { sessionRoutes } from './sessions/dashboard-sessions.ts';
import { homeRoutes } from './team/dashboard-home.ts';
import { meRoutes } from './team/dashboard-me.ts';
import { signInRoutes } from './team/dashboard-sign-in.ts';
import { teamRoutes } from './team/dashboard-team.ts';
import { deliveryRoutes } from './webhooks/dashboard-deliveries.ts';
import { endpointRoutes } from './webhooks/dashboard-endpoints.ts';

export const dashboardRoutes = {
  ...signInRoutes,
  ...meRoutes,
  ...homeRoutes,
  ...sessionRoutes,
  ...deliveryRoutes,
  ...endpointRoutes,
  ...keyRoutes,
  ...settingsRoutes,
  ...teamRoutes,
};

export const sandboxDashboardRoutes = sandboxTestBankRoutes;

export const liveDashboardRoutes = { ...liveGoingLiveRoutes, ...livePayoutRoutes };
