import { getDeliveryRoute } from '../contract/dashboard-api/get-delivery.ts';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';
import { getDeliveryDetail } from '../webhooks/delivery-detail.ts';
import { urlForMember } from '../webhooks/for-member.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'deliveries', 'attempts', 'events'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, getDeliveryRoute, async ({ practiceId, role }, { params }) => {
  const { delivery, body, attempts } = await getDeliveryDetail(tools, { ...params, practiceId });
  return {
    body: {
      delivery: { ...delivery, sessionId: sessionIdOfEvent(delivery.eventId) },
      body,
      attempts: attempts.map((attempt) => urlForMember(attempt, role)),
    },
  };
});
