import { randomBytes } from 'node:crypto';
import {
  deleteWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  testWebhookEndpointRoute,
} from '../contract/webhooks/webhook-endpoint.ts';
import {
  changeWebhookEndpointRoute,
  createWebhookEndpointRoute,
  rotateSigningSecretRoute,
} from '../contract/webhooks/webhook-endpoints.ts';
import { replayHeaders } from '../contract/idempotency.ts';
import { allowLoopbackWebhooks, queueUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { addEndpointOnce, changeEndpoint } from '../webhooks/practice-endpoints.ts';
import { rotateSecret } from '../webhooks/signing-secrets.ts';
import { testEndpoint } from '../webhooks/resend.ts';
import { deleteEndpoint, listEndpoints } from '../webhooks/webhook-endpoints.ts';

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

export const handler = areaHandler(
  practiceRoute(tools, listWebhookEndpointsRoute, async (caller) => ({
    body: { data: (await listEndpoints(tools, caller)).endpoints },
  })),
  practiceRoute(tools, createWebhookEndpointRoute, async (caller, { body, headers }, { now }) => {
    const input = { ...body, ...caller, idempotencyKey: headers['idempotency-key'] };
    const { response, replayed } = await addEndpointOnce(tools, input, now);
    return { body: response, ...replayHeaders(replayed) };
  }),
  practiceRoute(tools, changeWebhookEndpointRoute, async (caller, { params: { endpointId }, body }, { now }) => ({
    body: await changeEndpoint(tools, { ...body, ...caller, endpointId }, now),
  })),
  practiceRoute(tools, deleteWebhookEndpointRoute, async (caller, { params: { endpointId } }, { now }) => ({
    body: await deleteEndpoint(tools, { ...caller, endpointId }, now),
  })),
  practiceRoute(tools, rotateSigningSecretRoute, async (caller, { params: { endpointId }, body }, { now }) => ({
    body: await rotateSecret(tools, { ...body, ...caller, endpointId }, now),
  })),
  practiceRoute(tools, testWebhookEndpointRoute, async (caller, { params: { endpointId } }, { now }) => ({
    body: await testEndpoint(tools, { ...caller, endpointId }, now),
  })),
);
