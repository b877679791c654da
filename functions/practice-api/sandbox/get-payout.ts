import { practicePayoutRoutes } from '../../contract/payments/payouts.ts';
import { Problem } from '../../contract/problem.ts';
import { tableNames } from '../../environment.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { connect } from '../../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

/** A sandbox makes no payouts. */
export const handler = practiceRoute(tools, practicePayoutRoutes.getPayout, async () => {
  throw new Problem('payout_not_found', 'A sandbox has no payouts.');
});
