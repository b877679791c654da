import { randomBytes } from 'node:crypto';
import { livePlatformApiRoutes } from '../../contract/practices/platform-practices.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { startDepositOnboarding } from '../../practices/deposit.ts';
import { depositAccountsOfStage } from '../../processors/of-stage.ts';
import { connect } from '../../store/database.ts';

const tools = {
  database: connect(tableNames()),
  mode: builtForMode,
  accounts: depositAccountsOfStage(),
  dashboardUrl: dashboardUrl(),
  randomBytes,
};

export const handler = practiceRoute(
  tools,
  livePlatformApiRoutes.createOnboardingLink,
  ({ practiceId, author }, _request, { now }) => startDepositOnboarding(tools, { practiceId, author }, now),
);
