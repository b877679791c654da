import { randomBytes } from 'node:crypto';
import { liveGoingLiveRoutes } from '../../contract/practices/dashboard-going-live.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { areaHandler } from '../../http/area-handler.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { getDeposit, startDepositOnboarding } from '../../practices/deposit.ts';
import { acceptTerms } from '../../practices/go-live.ts';
import { depositAccountsOfStage } from '../../processors/of-stage.ts';
import { connect } from '../../store/database.ts';

const tools = {
  database: connect(tableNames()),
  accounts: depositAccountsOfStage(),
  dashboardUrl: dashboardUrl(),
  randomBytes,
};

export const handler = areaHandler(
  memberRoute(tools, liveGoingLiveRoutes.acceptTerms, (caller, { body }, { now }) =>
    acceptTerms(tools, { ...body, ...caller }, now),
  ),
  memberRoute(tools, liveGoingLiveRoutes.getDeposit, (caller, _request, { now }) => getDeposit(tools, caller, now)),
  memberRoute(tools, liveGoingLiveRoutes.startDepositOnboarding, (caller, _request, { now }) =>
    startDepositOnboarding(tools, caller, now),
  ),
);
