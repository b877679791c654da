import { sessionWebhook, testWebhook } from '../../functions/contract/webhooks.ts';
import { referenceTo } from './schemas.ts';
import { testEventType } from '../../functions/domain/event.ts';
import { sessionEvents, sessionEventTypes } from '../../functions/domain/transitions.ts';

/** The headers of Standard Webhooks 1.0.0 (standardwebhooks.com). */
const headers = [
  { name: 'webhook-id', description: "The event's id, the same in every attempt.", schema: { type: 'string' } },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was made, in seconds since 1970. Refuse what is older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  {
    name: 'webhook-signature',
    description:
      "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the bytes of the endpoint's `whsec_…` secret. " +
      'Several, with a space between them, while a replaced secret is still good; accept any.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  },
].map((header) => ({ ...header, in: 'header', required: true }));

/** One webhook for each type of event, and the test. */
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
    [testEventType, webhook(testEventType, 'A test sent by the owner of the endpoint', referenceTo(testWebhook))],
  ]);
}

function webhook(type: string, summary: string, schema: object) {
  return {
    post: {
      operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ['Webhooks'],
      summary,
      description:
        'Verify the signature over the body as it arrived, store the event, answer with any 2xx. An event may arrive twice and out of order.',
      security: [],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Received. A body is not needed.' },
        '410': { description: 'The endpoint is gone: it is turned off, and nothing more is sent to it.' },
        '4XX': { description: 'Refused: not tried again, except for 408, 425 and 429.' },
        '5XX': { description: 'Tried again, as is no answer within 15 seconds: ten attempts in three days.' },
      },
    },
  };
}
