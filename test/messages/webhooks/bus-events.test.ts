import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterAll, expect, it } from 'vitest';
import { busEventSource } from '../../../functions/contract/webhooks/tickets.ts';
import type { WebhookEndpoint } from '../../../functions/domain/webhooks/webhook-endpoint.ts';
import { ownerNotifier, busSender } from '../../../functions/messages/webhooks/event-bus.ts';
import { awsConfig } from '../../support/answered-client.ts';
import { startServer } from '../../support/server.ts';

interface Entry {
  readonly Detail: string;
}

const state = { entries: [] as Entry[], refuses: false };
const server = createServer(async (request, response) => {
  ({ Entries: state.entries } = (await json(request)) as { Entries: Entry[] });
  const entry = state.refuses ? { ErrorCode: 'InternalFailure' } : { EventId: '1' };
  response
    .setHeader('content-type', 'application/x-amz-json-1.1')
    .end(JSON.stringify({ Entries: [entry], FailedEntryCount: state.refuses ? 1 : 0 }));
});

const client = new EventBridgeClient(awsConfig(`http://127.0.0.1:${await startServer(server, afterAll)}`));
const notifyOwner = ownerNotifier(busSender('bus', client, async () => undefined));

const endpoint: WebhookEndpoint = {
  practiceId: 'prc_1',
  endpointId: 'whe_1',
  url: 'https://hooks.example.com/secret-path',
  status: 'enabled',
  signingSecret: 'whsec_new',
  previousSigningSecret: 'whsec_old',
  previousSecretExpiresAt: '2026-11-20T10:00:00.000Z',
  createdAt: '2026-11-20T09:00:00.000Z',
};

// https://github.com/hookdeck/outpost/issues/411: an event about a failing endpoint leaked its credentials.
it.each(['webhook.endpoint.failing', 'webhook.endpoint.disabled', 'webhook.endpoint.recovered'] as const)(
  '%s has the ids of practice and endpoint, and nothing else',
  async (type) => {
    state.refuses = false;
    await notifyOwner(type, endpoint);
    expect(state.entries).toEqual([
      {
        EventBusName: 'bus',
        Source: busEventSource,
        DetailType: type,
        Detail: '{"practiceId":"prc_1","endpointId":"whe_1"}',
      },
    ]);
  },
);

it('a rejected event is a fault, although the call succeeded', async () => {
  state.refuses = true;
  await expect(notifyOwner('webhook.endpoint.failing', endpoint)).rejects.toThrow(
    'the bus rejected webhook.endpoint.failing',
  );
});
