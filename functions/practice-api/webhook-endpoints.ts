import { randomBytes } from 'node:crypto';
import { replayHeaders } from '../contract/idempotency.ts';
import {
  listWebhookDeliveriesRoute,
  replayWebhooksRoute,
  resendWebhookRoute,
} from '../contract/webhooks/endpoint-deliveries.ts';
import {
  deleteWebhookEndpointRoute,
  getWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  testWebhookEndpointRoute,
} from '../contract/webhooks/webhook-endpoint.ts';
import {
  changeWebhookEndpointRoute,
  createWebhookEndpointRoute,
  rotateSigningSecretRoute,
} from '../contract/webhooks/webhook-endpoints.ts';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { allowLoopbackWebhooks, queueUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { practiceArea } from '../http/practice-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { listEndpointDeliveries } from '../webhooks/list-deliveries.ts';
import { addEndpointOnce, changeEndpoint } from '../webhooks/practice-endpoints.ts';
import { replayDeliveries, replaysPerRequest, resendEvent, testEndpoint } from '../webhooks/resend.ts';
import { rotateSecret } from '../webhooks/signing-secrets.ts';
import { deleteEndpoint, listEndpoints, showEndpoint } from '../webhooks/webhook-endpoints.ts';

const tools = {
  database: connect(
    tableNames(
      'apiKeys',
      'practices',
      'rateLimits',
      'webhookEndpoints',
      'deliveries',
      'events',
      'auditLog',
      'idempotencyKeys',
    ),
  ),
  mode: builtForMode,
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

const route = practiceArea(tools);

export const handler = areaHandler(
  route(listWebhookEndpointsRoute, async (caller) => ({
    data: (await listEndpoints(tools, caller)).endpoints,
  })),
  route(createWebhookEndpointRoute, async ({ practiceId, author }, { body, headers }, { now, answerHeaders }) => {
    const input = { ...body, practiceId, author, idempotencyKey: headers['idempotency-key'] };
    const { response, replayed } = await addEndpointOnce(tools, input, now);
    Object.assign(answerHeaders, replayHeaders(replayed));
    return response;
  }),
  route(getWebhookEndpointRoute, (caller, { params }) => showEndpoint(tools, { ...caller, ...params })),
  route(changeWebhookEndpointRoute, ({ practiceId, author }, { params, body }, { now }) =>
    changeEndpoint(tools, { ...body, ...params, practiceId, author }, now),
  ),
  route(deleteWebhookEndpointRoute, (caller, { params }, { now }) =>
    deleteEndpoint(tools, { ...caller, ...params }, now),
  ),
  route(rotateSigningSecretRoute, ({ practiceId, author }, { params, body }, { now }) =>
    rotateSecret(tools, { ...body, ...params, practiceId, author }, now),
  ),
  route(testWebhookEndpointRoute, (caller, { params }, { now }) => testEndpoint(tools, { ...caller, ...params }, now)),
  route(listWebhookDeliveriesRoute, async ({ practiceId }, { params, query }) => {
    const { deliveries, nextCursor } = await listEndpointDeliveries(tools, { practiceId, ...params, ...query });
    const data = deliveries.map((each) => ({
      ...each,
      practiceId: each.eventPracticeId ?? each.practiceId,
      sessionId: sessionIdOfEvent(each.eventId),
    }));
    return { data, nextCursor };
  }),
  route(resendWebhookRoute, (caller, { params }, { now }) => resendEvent(tools, { ...caller, ...params }, now)),
  route(replayWebhooksRoute, (caller, { params, body: { since } }, { now }) =>
    replayDeliveries(tools, { ...caller, ...params, since: Date.parse(since), limit: replaysPerRequest }, now),
  ),
);
