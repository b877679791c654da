import { getPayoutRoute, listPayoutsRoute } from '../../contract/payments/payouts.ts';
import { pick } from '../../domain/collections.ts';
import { tableNames } from '../../environment.ts';
import { areaHandler } from '../../http/area-handler.ts';
import { practiceRoute } from '../../http/practice-route.ts';
import { listPayouts, openPayout } from '../../payments/payouts.ts';
import { connect } from '../../store/database.ts';

const tools = {
  database: connect(tableNames('apiKeys', 'practices', 'rateLimits', 'payouts', 'bookings', 'sessions')),
  mode: builtForMode,
};
const listed = ['payoutId', 'createdAt', 'arrivesOn', 'status', 'failureCode', 'amountCents'] as const;
const shown = ['payoutId', 'arrivesOn', 'status', 'failureCode', 'amountCents', 'addsUp', 'nextPayoutId'] as const;

export const handler = areaHandler(
  practiceRoute(tools, listPayoutsRoute, async ({ practiceId }, { query }) => {
    const { payouts, nextCursor } = await listPayouts(tools, { practiceId, ...query });
    return { body: { data: payouts.map((payout) => pick(payout, listed)), nextCursor } };
  }),
  practiceRoute(tools, getPayoutRoute, async ({ practiceId }, { params: { payoutId } }, { now }) => {
    const { payout, createdAt, lines } = await openPayout(tools, { practiceId, payoutId }, now);
    return { body: { ...pick(payout, shown), createdAt, lines } };
  }),
);
