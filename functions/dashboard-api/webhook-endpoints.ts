import { randomBytes } from 'node:crypto';
import { endpointRoutes } from '../contract/webhooks/dashboard-endpoints.ts';
import { allowLoopbackWebhooks, dashboardUrl, queueUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { urlForMember } from '../webhooks/requirements.ts';
import { replayDeliveries, testEndpoint } from '../webhooks/resend.ts';
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
  database: connect(
    tableNames('dashboardSessions', 'members', 'practices', 'webhookEndpoints', 'deliveries', 'events', 'auditLog'),
  ),
  dashboardUrl: dashboardUrl(),
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  mode: builtForMode,
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

/** How many one request replays before it times out. The page sends more requests while there is more. */
const replaysPerRequest = 1000;

export const handler = areaHandler(
  memberRoute(tools, endpointRoutes.listWebhookEndpoints, async ({ practiceId, role }) => {
    const { endpoints } = await listEndpoints(tools, { practiceId });
    return { body: { endpoints: endpoints.map((endpoint) => urlForMember(endpoint, role)) } };
  }),
  memberRoute(tools, endpointRoutes.createWebhookEndpoint, async ({ practiceId, author }, { body }, { now }) => ({
    body: await addEndpoint(tools, { ...body, practiceId, author }, now),
  })),
  memberRoute(
    tools,
    endpointRoutes.changeWebhookEndpoint,
    async ({ practiceId, author }, { params: { endpointId }, body }, { now }) => {
      const eventTypes = body.eventTypes === 'all' ? ['all'] : body.eventTypes;
      return { body: await updateEndpoint(tools, { ...body, eventTypes, practiceId, endpointId, author }, now) };
    },
  ),
  memberRoute(
    tools,
    endpointRoutes.moveWebhookEndpoint,
    async ({ practiceId, author }, { params: { endpointId }, body: { url } }, { now }) => ({
      body: await updateEndpoint(tools, { practiceId, endpointId, author, url }, now),
    }),
  ),
  memberRoute(
    tools,
    endpointRoutes.setWebhookEndpointStatus,
    async ({ practiceId, author }, { params: { endpointId }, body: { status } }, { now }) => {
      const change = status === 'enabled' ? enableEndpoint : disableEndpoint;
      return { body: await change(tools, { practiceId, endpointId, author }, now) };
    },
  ),
  memberRoute(
    tools,
    endpointRoutes.rotateSigningSecret,
    async ({ practiceId, author }, { params: { endpointId }, body }, { now }) => ({
      body: await rotateSecret(tools, { ...body, practiceId, endpointId, author }, now),
    }),
  ),
  memberRoute(
    tools,
    endpointRoutes.revealSigningSecret,
    async ({ practiceId, author }, { params: { endpointId } }, { now }) => ({
      body: await revealSecret(tools, { practiceId, endpointId, author }, now),
    }),
  ),
  memberRoute(
    tools,
    endpointRoutes.deleteWebhookEndpoint,
    async ({ practiceId, author }, { params: { endpointId } }, { now }) => ({
      body: await deleteEndpoint(tools, { practiceId, endpointId, author }, now),
    }),
  ),
  memberRoute(
    tools,
    endpointRoutes.testWebhookEndpoint,
    async ({ practiceId, author }, { params: { endpointId } }, { now }) => ({
      body: await testEndpoint(tools, { practiceId, endpointId, author }, now),
    }),
  ),
  memberRoute(
    tools,
    endpointRoutes.replayWebhookEndpoint,
    async ({ practiceId, author }, { params: { endpointId }, body: { since } }, { now }) => ({
      body: await replayDeliveries(tools, { practiceId, endpointId, author, since, limit: replaysPerRequest }, now),
    }),
  ),
);
