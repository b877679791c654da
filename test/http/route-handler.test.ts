import type { Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { managementProblems } from '../../functions/contract/management-problems.ts';
import { commonProblems, patientApiProblems, practiceApiProblems, Problem } from '../../functions/contract/problems.ts';
import { responder } from '../../functions/http/route-handler.ts';

const event = {
  headers: {},
  rawQueryString: '',
  isBase64Encoded: false,
  requestContext: { requestId: 'r', routeKey: '$default', http: { sourceIp: '127.0.0.1' } },
};

async function codeOf(sent: unknown, thrown: unknown) {
  const handler = responder(practiceApiProblems, () => Promise.reject(thrown));
  const { statusCode, body } = await handler(sent as never, {} as Context);
  return [statusCode, (JSON.parse(body) as { code: string }).code];
}

it('a Problem of the API keeps its status and code; anything else is an internal error', async () => {
  expect(await codeOf(event, new Problem('route_not_found', ''))).toEqual([404, 'route_not_found']);
  expect(await codeOf(event, new Problem('link_not_found', ''))).toEqual([500, 'internal_error']);
  expect(await codeOf(event, new Error('anything'))).toEqual([500, 'internal_error']);
});

it('an event that is no HTTP request is an internal error', async () => {
  expect(await codeOf({}, new Problem('route_not_found', ''))).toEqual([500, 'internal_error']);
});

it('no code means two problems', () => {
  const maps = [commonProblems, practiceApiProblems, patientApiProblems, managementProblems];
  const codes = maps.flatMap((problems) => Object.keys(problems));
  expect(new Set(codes).size).toBe(codes.length);
});
