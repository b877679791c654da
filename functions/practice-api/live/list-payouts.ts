import { practicePayoutRoutes } from '../../contract/payments/payouts.ts';
import { pick } from '../../domain/collections.ts';
import { tableNames } from '../../environment.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { listPayouts } from '../../payments/payouts.ts';
import { connect } from '../../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };
const shown = ['payoutId', 'createdAt', 'arrivesOn', 'status', 'failureCode', 'amountCents'] as const;

export const handler = practiceRoute(tools, practicePayoutRoutes.listPayouts, async ({ practiceId }, { query }) => {
  const { payouts, nextCursor } = await listPayouts(tools, { practiceId, ...query });
  return { data: payouts.map((payout) => pick(payout, shown)), nextCursor };
});
