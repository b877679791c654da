import { practicePayoutRoutes } from '../../contract/payments/payouts.ts';
import { pick } from '../../domain/collections.ts';
import { tableNames } from '../../environment.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { openPayout } from '../../payments/payouts.ts';
import { connect } from '../../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };
const shown = ['payoutId', 'arrivesOn', 'status', 'failureCode', 'amountCents', 'addsUp', 'nextPayoutId'] as const;

export const handler = practiceRoute(
  tools,
  practicePayoutRoutes.getPayout,
  async ({ practiceId }, { params }, { now }) => {
    const { payout, createdAt, lines } = await openPayout(tools, { practiceId, ...params }, now);
    return { ...pick(payout, shown), createdAt, lines };
  },
);
