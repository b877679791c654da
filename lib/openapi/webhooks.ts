import { sessionWebhook, testWebhook } from '../../functions/contract/webhooks.ts';
import { referenceTo } from './schemas.ts';
import { testEventType } from '../../functions/domain/event.ts';
import { sessionEvents, sessionEventTypes } from '../../functions/domain/transitions.ts';

/** Standard Webhooks 1.0.0 (standardwebhooks.com). */
const headers = [
  { name: 'webhook-id', description: "The event's id, the same in every attempt.", schema: { type: 'string' } },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was made, in seconds since 1970. Reject anything older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  {
    name: 'webhook-signature',
    description:
      "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the bytes of the endpoint's `whsec_…` secret. " +
      'There are several, separated by spaces, while a rotated secret is still valid; accept any match.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  },
].map((header) => ({ ...header, in: 'header', required: true }));

export function webhooks() {
  const ofSessions = sessionEventTypes.map((type) => {
    const { summary, facts } = sessionEvents[type];
    const data = { required: facts, properties: Object.fromEntries(facts.map((fact) => [fact, true])) };
    return [
      type,
      webhook(type, summary, { allOf: [referenceTo(sessionWebhook), { properties: { type: { const: type }, data } }] }),
    ];
  });
  return Object.fromEntries([
    ...ofSessions,
    [
      testEventType,
      webhook(testEventType, 'A test that the owner of the endpoint requested', referenceTo(testWebhook)),
    ],
  ]);
}

function webhook(type: string, summary: string, schema: object) {
  return {
    post: {
      operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ['Webhooks'],
      summary,
      description:
        'Verify the signature over the raw body, store the event and respond with any 2xx. Events can arrive twice and out of order.',
      security: [],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Received. No body is needed.' },
        '410': { description: 'The endpoint is gone. It is disabled and gets no more webhooks.' },
        '4XX': { description: 'Rejected. Not retried, except for 408, 425 and 429.' },
        '5XX': { description: 'Retried, like a timeout after 15 seconds: ten attempts over three days.' },
      },
    },
  };
}
