import { randomBytes } from 'node:crypto';
import { startDepositOnboardingRoute } from '../../contract/dashboard-api/start-deposit-onboarding.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { startDepositOnboarding } from '../../practices/deposit.ts';
import { depositAccountsOfStage } from '../../processors/of-stage.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'auditLog'));
const tools = { database, accounts: depositAccountsOfStage(), dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  startDepositOnboardingRoute,
  async ({ practiceId, author }, _request, { now }) => ({
    body: await startDepositOnboarding(tools, { practiceId, author }, now),
  }),
);
