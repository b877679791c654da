import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSessionBody } from '../../functions/contract/sessions/create-session.ts';
import type { PracticeRoute } from '../../functions/contract/practice-route.ts';
import { livePlatformApiRoutes, platformApiRoutes } from '../../functions/contract/practices/platform-practices.ts';
import { apiRoutes, practiceRoutes } from '../../functions/contract/routes.ts';
import { isObject, valueAt } from '../../lib/local/json.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { fieldDescriptions } from '../../lib/openapi/bodies.ts';
import { checkExchange, checkWebhook } from '../support/checked-fetch.ts';
import { practiceEventTypes } from '../../functions/domain/practices/platform.ts';
import { testEventType } from '../../functions/domain/webhooks/event.ts';
import { sessionEventTypes } from '../../functions/domain/sessions/transitions.ts';

let printed: string;
let document: unknown;
beforeAll(async () => {
  ({ stdout: printed } = await promisify(execFile)(process.execPath, ['bin/openapi.ts']));
  document = JSON.parse(printed);
});

function fieldsWithin(value: unknown, place = ''): { place: string; schema: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => fieldsWithin(item, `${place}/${index}`));
  if (!isObject(value)) return [];
  const own = isObject(value['properties'])
    ? Object.entries(value['properties']).map(([name, schema]) => ({ place: `${place}/${name}`, schema }))
    : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => fieldsWithin(inner, `${place}/${key}`))];
}

describe('the OpenAPI document that npm run openapi prints', () => {
  it('passes the linter, which would find a broken document', async () => {
    // The service has no license to name.
    const config = await createConfig('extends: [recommended-strict]\nrules: { info-license: off }');
    const faults = await lintFromString({ source: printed, absoluteRef: 'openapi.json', config });
    expect(faults.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)).toEqual(
      [],
    );
    const broken = await lintFromString({
      source: printed.replace('"operationId": "listSessions"', '"operationId": "createSession"'),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(broken.map(({ ruleId }) => ruleId)).toContain('operation-operationId-unique');
  });

  it('has an operation for every practice route and a webhook for every event', () => {
    for (const [name, { path, method }] of Object.entries(practiceRoutes)) {
      expect(valueAt(document, ['paths', path, method.toLowerCase(), 'operationId'])).toBe(name);
    }
    expect(Object.keys(valueAt(document, ['webhooks']) as object)).toEqual([
      ...sessionEventTypes,
      ...practiceEventTypes,
      testEventType,
    ]);
  });

  it('says that the endpoint decides whether a rejected webhook is retried', () => {
    for (const webhook of Object.values(valueAt(document, ['webhooks']) as object)) {
      const rejected = valueAt(webhook, ['post', 'responses', '4XX', 'description']);
      expect(rejected).toMatch(/Not retried, except for 408, 425 and 429, unless .*`retryPolicy`.* is `all`/);
    }
  });

  it('describes every field, and nothing else', () => {
    const named = fieldsWithin(valueAt(document, ['components', 'schemas'])).filter(({ schema }) => isObject(schema));
    expect(named.length).toBeGreaterThan(50);
    expect(
      named.filter(({ schema }) => valueAt(schema, ['description']) === undefined).map(({ place }) => place),
    ).toEqual([]);
    for (const [key, description] of Object.entries(fieldDescriptions))
      expect(printed, key).toContain(JSON.stringify(description).slice(0, -1));
  });

  it('describes the parameters that each route declares', () => {
    for (const { path, method, parameters } of Object.values<PracticeRoute>(apiRoutes)) {
      const described = valueAt(document, ['paths', path, method.toLowerCase(), 'parameters']) ?? [];
      expect(
        (described as { name: string; description?: string }[])
          .map(({ name, description }) => [name.toLowerCase(), description])
          .filter(([name]) => name !== 'practice-id'),
      ).toEqual(Object.entries(parameters ?? {}).map(([name, description]) => [name.toLowerCase(), description]));
    }
  });

  it("describes the header that names a practice where a platform's key can send it", () => {
    for (const [name, { path, method, platform }] of Object.entries<PracticeRoute>(apiRoutes)) {
      const described = valueAt(document, ['paths', path, method.toLowerCase(), 'parameters']) ?? [];
      const header = { name: 'Practice-Id', in: 'header', schema: { pattern: '^prc_[0-9A-Za-z]{20}$' } };
      if (platform === 'only' || platform === 'itself')
        expect(JSON.stringify(described), name).not.toContain('Practice-Id');
      else
        expect(described, name).toContainEqual(
          expect.objectContaining({ ...header, schema: expect.objectContaining(header.schema) }),
        );
    }
  });

  it('forbids unknown fields in requests, and allows them in responses', () => {
    expect(valueAt(document, ['components', 'schemas', 'CreateSessionRequest', 'additionalProperties'])).toBe(false);
    expect(
      valueAt(document, [
        'components',
        'schemas',
        'CreateSessionRequest',
        'properties',
        'patient',
        'additionalProperties',
      ]),
    ).toBe(false);
    for (const name of [
      'CreatedSession',
      'Session',
      'SessionList',
      'CancelledSession',
      'SessionPaymentFailedEvent',
      'SessionNotFoundProblem',
    ]) {
      expect(JSON.stringify(valueAt(document, ['components', 'schemas', name]))).not.toContain(
        '"additionalProperties":false',
      );
    }
  });

  const valid = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']));
  it.each([
    [valid, true],
    [{ ...valid, invoiceId: '' }, false],
    [{ ...valid, invoiceId: 'x'.repeat(128) }, true],
    [{ ...valid, invoiceId: 'x'.repeat(129) }, false],
    [{ ...valid, invoiceId: 'a\u0000b' }, false],
    [{ ...valid, amountCents: 0 }, false],
    [{ ...valid, amountCents: 1 }, true],
    [{ ...valid, amountCents: 1.5 }, false],
    [{ ...valid, amountCents: 99_999_999 }, true],
    [{ ...valid, amountCents: 100_000_000 }, false],
    [{ ...valid, patient: { firstName: 'Ada' } }, false],
    [{ ...valid, patient: { ...valid.patient, firstName: 'x'.repeat(101) } }, false],
    [{ ...valid, patient: { ...valid.patient, title: 'Dr' } }, false],
    [{ ...valid, note: 'x' }, false],
    [{ ...valid, metadata: keys(16) }, true],
    [{ ...valid, metadata: keys(17) }, false],
    [{ ...valid, metadata: { ['k'.repeat(40)]: 'x'.repeat(500) } }, true],
    [{ ...valid, metadata: { ['k'.repeat(41)]: 'x' } }, false],
    [{ ...valid, metadata: { key: 'x'.repeat(501) } }, false],
    [{ ...valid, metadata: { key: 1 } }, false],
  ])('accepts the same requests as the service: %j', (body, accepted) => {
    expect(createSessionBody.safeParse(body).success).toBe(accepted);
    const validate = new Ajv2020().compile(
      valueAt(document, ['components', 'schemas', 'CreateSessionRequest']) as object,
    );
    expect(validate(body)).toBe(accepted);
  });
});

it('the document of production has no sandbox routes, and no schema that nothing refers to', () => {
  const live = openApiDocument('1.0.0', { mode: 'live' });
  const routes = Object.values({ ...practiceRoutes, ...platformApiRoutes, ...livePlatformApiRoutes });
  expect(Object.keys(live.paths)).toEqual([...new Set(routes.map(({ path }) => path))]);
  const { servers: _, ...text } = live;
  expect(JSON.stringify(text)).not.toMatch(/simulate|user_|Sandbox/);
});

it.each([
  ['sandbox', 'sandbox'],
  ['live', 'live'],
  [undefined, 'sandbox'],
] as const)('the document of mode %s names the prefix of its keys: %s', (mode, prefix) => {
  const { description } = openApiDocument('1.0.0', mode && { mode }).components.securitySchemes.apiKey;
  expect(description).toContain(`\`Authorization: Bearer pip_${prefix}_…\``);
});

describe('the check of every response in the tests', () => {
  const sessionId = 'ses_01KAG3ZQ8M0000000000000001';
  const cancelled = {
    sessionId,
    status: 'cancelled',
    cancelledAt: '2026-11-20T15:04:05.123Z',
  };
  const problem = {
    type: 'https://dashboard.example.com/docs/errors#session_not_found',
    title: 'The session was not found.',
    status: 404,
    detail: 'Check the session id.',
    code: 'session_not_found',
    requestId: 'r-1',
  };
  const answered =
    (
      status: number,
      body: object,
      headers: Record<string, string> = {},
      path = '/api/practice/sessions/ses_1/cancel',
    ) =>
    () =>
      checkExchange({
        method: 'POST',
        path,
        status,
        headers: new Headers({
          'content-type': status < 300 ? 'application/json' : 'application/problem+json',
          'request-id': 'r-1',
          ...headers,
        }),
        body: JSON.stringify(body),
      });

  it('accepts what the document says', () => {
    expect(answered(200, cancelled)).not.toThrow();
    expect(answered(404, problem)).not.toThrow();
    expect(
      answered(409, { ...problem, status: 409, code: 'session_not_cancellable', sessionStatus: 'failed' }),
    ).not.toThrow();
    expect(
      answered(409, { ...problem, status: 409, code: 'cancellation_pending' }, { 'retry-after': '30' }),
    ).not.toThrow();
    expect(
      answered(401, { ...problem, status: 401, code: 'api_key_missing' }, { 'www-authenticate': 'Bearer' }),
    ).not.toThrow();
    expect(answered(404, { ...problem, code: 'route_not_found' }, {}, '/api/practice/other')).not.toThrow();
  });

  it.each([
    ['an unknown field', answered(200, { ...cancelled, practiceId: 'prc_1' }), 'unevaluated'],
    ['a missing field', answered(200, { ...cancelled, cancelledAt: undefined }), 'cancelledAt'],
    ['a time without milliseconds', answered(200, { ...cancelled, cancelledAt: '2026-11-20T15:04:05Z' }), 'format'],
    ['another content type', answered(200, cancelled, { 'content-type': 'text/html' }), 'text/html'],
    ['an undocumented status', answered(410, { ...problem, status: 410 }), 'status'],
    ['an undocumented problem', answered(409, { ...problem, status: 409, code: 'session_closed' }), 'code'],
    ["another problem's extra field", answered(404, { ...problem, sessionStatus: 'failed' }), 'sessionStatus'],
    [
      'a problem without its extra field',
      answered(409, { ...problem, status: 409, code: 'session_not_cancellable' }),
      'sessionStatus',
    ],
    ['another request id', answered(404, { ...problem, requestId: 'r-2' }), 'Request-Id'],
    [
      'a missing challenge',
      answered(401, { ...problem, status: 401, code: 'api_key_missing' }),
      'WWW-Authenticate is missing',
    ],
    [
      'a Retry-After that is not a number',
      answered(409, { ...problem, status: 409, code: 'cancellation_pending' }, { 'retry-after': 'soon' }),
      'Retry-After',
    ],
    ['success without an operation', answered(200, cancelled, {}, '/api/practice/other'), 'no operation'],
    [
      'success for a forbidden request',
      () => checkExchange({ ...creation, sentBody: { invoiceId: '' } }),
      'a request was accepted',
    ],
  ])('rejects %s', (_, check, fault) => {
    expect(check).toThrow(fault);
  });

  const creation = {
    method: 'POST',
    path: '/api/practice/sessions',
    status: 201,
    headers: new Headers({ 'content-type': 'application/json', 'request-id': 'r-1' }),
    body: JSON.stringify({
      sessionId,
      hostedUrl: 'https://pay.test/s/x',
      status: 'pending',
      amountCents: 100,
      expiresAt: cancelled.cancelledAt,
      createdAt: cancelled.cancelledAt,
    }),
  };

  const id = 'evt_01KAG3ZQ8M0000000000000001_1';
  const event = {
    id,
    type: 'session.payment.processing',
    created_at: cancelled.cancelledAt,
    api_version: '2026-11-20',
    livemode: false,
    practiceId: 'prc_0123456789abcdefghij',
    data: {
      sessionId,
      invoiceId: 'INV-1',
      amountCents: 100,
      status: 'processing',
      previousStatus: 'pending',
      sequence: 1,
      processingAt: cancelled.cancelledAt,
      metadata: {},
    },
  };
  const signed = { 'webhook-id': id, 'webhook-timestamp': '1763650000', 'webhook-signature': `v1,${'A'.repeat(43)}=` };
  const sent =
    (body: object, headers: Record<string, string> = signed) =>
    () =>
      checkWebhook(new Headers(headers), JSON.stringify(body));

  const ofGateway = (status: number) => ({
    ...creation,
    status,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: '{"message":"The words of the gateway"}',
  });

  it.each([413, 429, 500, 503])('accepts %i from the gateway, which sends no Request-Id', (status) => {
    expect(() => checkExchange(ofGateway(status))).not.toThrow();
  });

  it.each([400, 401, 403, 422])('rejects %i from the gateway', (status) => {
    expect(() => checkExchange(ofGateway(status))).toThrow('this status has no content type application/json');
  });

  it('rejects a problem without a Request-Id, even where the gateway may answer', () => {
    const body = JSON.stringify({ ...problem, status: 500, code: 'internal_error' });
    const headers = new Headers({ 'content-type': 'application/problem+json' });
    expect(() => checkExchange({ ...creation, status: 500, headers, body })).toThrow('requestId');
  });

  it('also checks webhooks and their headers', () => {
    expect(sent(event)).not.toThrow();
    expect(sent({ ...event, data: { ...event.data, processingAt: undefined } })).toThrow('processingAt');
    expect(sent({ ...event, data: { ...event.data, patient: {} } })).toThrow('unevaluated');
    expect(sent({ ...event, type: 'session.payment.reversed' })).toThrow('no webhook');
    expect(sent(event, { ...signed, 'webhook-id': 'evt_other' })).toThrow('webhook-id');
    expect(sent(event, { 'webhook-id': id, 'webhook-timestamp': '1' })).toThrow('webhook-signature is missing');
  });
});
