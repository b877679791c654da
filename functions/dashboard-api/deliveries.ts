import { randomBytes } from 'node:crypto';
import { deliveryRoutes } from '../contract/webhooks/dashboard-deliveries.ts';
import { dashboardUrl, queueUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { getDeliveryDetail, listDeliveries } from '../webhooks/list-deliveries.ts';
import { urlForMember } from '../webhooks/requirements.ts';
import { resendEvent } from '../webhooks/resend.ts';

const tools = {
  database: connect(tableNames()),
  dashboardUrl: dashboardUrl(),
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

export const handler = areaHandler(
  memberRoute(tools, deliveryRoutes.listDeliveries, async ({ practiceId }, { query }) => {
    const { deliveries, nextCursor } = await listDeliveries(tools, { ...query, practiceId });
    return { data: deliveries, nextCursor };
  }),
  memberRoute(tools, deliveryRoutes.getDelivery, async (caller, { params }) => {
    const { attempts, ...detail } = await getDeliveryDetail(tools, params);
    return { ...detail, attempts: attempts.map((attempt) => urlForMember(attempt, caller)) };
  }),
  memberRoute(tools, deliveryRoutes.resendDelivery, ({ author }, { params }, { now }) =>
    resendEvent(tools, { ...params, author }, now),
  ),
);
