import { randomBytes } from 'node:crypto';
import { endpointRoutes } from '../contract/webhooks/dashboard-endpoints.ts';
import { allowLoopbackWebhooks, dashboardUrl, queueUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { urlForMember } from '../webhooks/requirements.ts';
import { replayDeliveries, replaysPerRequest, testEndpoint } from '../webhooks/resend.ts';
import { revealSecret, rotateSecret } from '../webhooks/signing-secrets.ts';
import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  updateEndpoint,
} from '../webhooks/webhook-endpoints.ts';

const tools = {
  database: connect(tableNames()),
  dashboardUrl: dashboardUrl(),
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  mode: builtForMode,
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

export const handler = areaHandler(
  memberRoute(tools, endpointRoutes.listWebhookEndpoints, async (caller) => {
    const { endpoints } = await listEndpoints(tools, caller);
    return { endpoints: endpoints.map((endpoint) => urlForMember(endpoint, caller)) };
  }),
  memberRoute(tools, endpointRoutes.createWebhookEndpoint, ({ practiceId, author }, { body }, { now }) =>
    addEndpoint(tools, { ...body, practiceId, author }, now),
  ),
  memberRoute(tools, endpointRoutes.changeWebhookEndpoint, ({ author }, { params, body }, { now }) => {
    const eventTypes = body.eventTypes === 'all' ? ['all'] : body.eventTypes;
    return updateEndpoint(tools, { ...body, eventTypes, ...params, author }, now);
  }),
  memberRoute(tools, endpointRoutes.moveWebhookEndpoint, ({ author }, { params, body: { url } }, { now }) =>
    updateEndpoint(tools, { ...params, author, url }, now),
  ),
  memberRoute(tools, endpointRoutes.setWebhookEndpointStatus, ({ author }, { params, body: { status } }, { now }) => {
    const change = status === 'enabled' ? enableEndpoint : disableEndpoint;
    return change(tools, { ...params, author }, now);
  }),
  memberRoute(tools, endpointRoutes.rotateSigningSecret, ({ author }, { params, body }, { now }) =>
    rotateSecret(tools, { ...body, ...params, author }, now),
  ),
  memberRoute(tools, endpointRoutes.revealSigningSecret, ({ author }, { params }, { now }) =>
    revealSecret(tools, { ...params, author }, now),
  ),
  memberRoute(tools, endpointRoutes.deleteWebhookEndpoint, ({ author }, { params }, { now }) =>
    deleteEndpoint(tools, { ...params, author }, now),
  ),
  memberRoute(tools, endpointRoutes.testWebhookEndpoint, ({ author }, { params }, { now }) =>
    testEndpoint(tools, { ...params, author }, now),
  ),
  memberRoute(tools, endpointRoutes.replayWebhookEndpoint, ({ author }, { params, body: { since } }, { now }) =>
    replayDeliveries(tools, { ...params, author, since, limit: replaysPerRequest }, now),
  ),
);
