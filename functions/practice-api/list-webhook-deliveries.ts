import { practiceDeliveryRoutes } from '../contract/webhooks/endpoint-deliveries.ts';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { connect } from '../store/database.ts';
import { listEndpointDeliveries } from '../webhooks/list-deliveries.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(
  tools,
  practiceDeliveryRoutes.listWebhookDeliveries,
  async ({ practiceId }, { params, query }) => {
    const { deliveries, nextCursor } = await listEndpointDeliveries(tools, { practiceId, ...params, ...query });
    const data = deliveries.map((each) => ({
      ...each,
      practiceId: each.movedPracticeId ?? each.eventPracticeId ?? each.practiceId,
      sessionId: sessionIdOfEvent(each.eventId),
    }));
    return { data, nextCursor };
  },
);
