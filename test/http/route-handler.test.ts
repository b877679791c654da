import type { Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { Problem, routeNotFound } from '../../functions/contract/problems.ts';
import { responder } from '../../functions/http/route-handler.ts';
import { declared, problems } from '../support/problems.ts';

const event = {
  headers: {},
  rawPath: '/',
  rawQueryString: '',
  isBase64Encoded: false,
  requestContext: { requestId: 'r', routeKey: '$default', http: { method: 'GET', sourceIp: '127.0.0.1' } },
};

async function codeOf(sent: unknown, thrown: unknown) {
  const handler = responder(routeNotFound, () => Promise.reject(thrown));
  const { statusCode, body } = await handler(sent as never, {} as Context);
  return [statusCode, (JSON.parse(body) as { code: string }).code];
}

it('a Problem that the route declares keeps its status and code; anything else is an internal error', async () => {
  expect(await codeOf(event, new Problem('route_not_found', ''))).toEqual([404, 'route_not_found']);
  expect(await codeOf(event, new Problem('link_not_found', ''))).toEqual([500, 'internal_error']);
  expect(await codeOf(event, new Error('anything'))).toEqual([500, 'internal_error']);
});

it('an event that is no HTTP request is an internal error', async () => {
  expect(await codeOf({}, new Problem('route_not_found', ''))).toEqual([500, 'internal_error']);
});

it('no code means two problems', () => {
  for (const each of declared) expect(problems).toMatchObject(each);
});
