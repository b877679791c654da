import { randomBytes } from 'node:crypto';
import { resendDeliveryRoute } from '../contract/dashboard-api/resend-delivery.ts';
import { dashboardUrl, queueUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { resendEvent } from '../webhooks/resend.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'deliveries', 'auditLog'));
const sendDeliveries = ticketSender(queueUrl('deliveries'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes, sendDeliveries };

export const handler = memberRoute(
  tools,
  resendDeliveryRoute,
  async ({ practiceId, author }, { params: { eventId, endpointId } }, { now }) => ({
    body: await resendEvent(tools, { practiceId, endpointId, eventId, author }, now),
  }),
);
