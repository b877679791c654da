import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { marker } from '../support/hostile-requests.ts';
import type { HttpAnswer } from '../support/http-request.ts';
import { faultsOf } from './faults.ts';
import { rawFaultsOf, sendBytes } from './raw.ts';
import { targetsOf, type NamedTarget } from './targets.ts';

const request = { method: 'GET', target: '/api/patient/session', headers: [], body: Buffer.alloc(0) };

function targetAt(host: NamedTarget['host']): NamedTarget {
  const found = targetsOf('sandbox').find((target) => target.host === host);
  if (!found) throw new Error(`no target at ${host}`);
  return found;
}

function refusal(differences: object = {}, { status = 404, ...answer }: Partial<HttpAnswer> = {}): HttpAnswer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'request-id': 'request-1' },
    body: JSON.stringify({ code: 'link_not_found', status, requestId: 'request-1', ...differences }),
    ...answer,
  };
}

const faults = (answer: HttpAnswer, host: NamedTarget['host'] = 'hostedUrl') =>
  faultsOf(request, answer, targetAt(host));

describe('a hostile request', () => {
  it('may be refused in our form, accepted, or answered by a bank that is down', () => {
    expect(faults(refusal())).toEqual([]);
    expect(faults({ status: 200, headers: {}, body: marker })).toEqual([]);
    expect(faults(refusal({ code: 'bank_unavailable' }, { status: 503 }))).toEqual([]);
    expect(faults({ status: 429, headers: {}, body: '{"message":"Too Many Requests"}' })).toEqual([]);
  });

  it('may get any refusal for a path that is no API at its host', () => {
    expect(faults({ status: 403, headers: {}, body: '<p>' }, 'dashboardUrl')).toEqual([]);
  });

  it.each([
    ['a failure', refusal({}, { status: 500 }), 'answered 500'],
    ['its own words in the body', refusal({ detail: marker.toUpperCase() }), 'repeats what was sent'],
    ['its own words in a header', refusal({}, { headers: { location: marker } }), 'repeats what was sent'],
    ['another form', refusal({}, { headers: { 'content-type': 'text/html' } }), 'a refusal is text/html'],
    ['a code that is not documented', refusal({ code: 'x' }), 'the code x is not documented'],
    ['another status', refusal({ status: 400 }), 'says 400 with the status 404'],
    ["another request's ID", refusal({ requestId: 'request-2' }), 'lacks the ID of its request'],
  ])('must not get %s', (_, answer, fault) => {
    expect(faults(answer)).toContain(fault);
  });
});

it.each([
  ['a connection that never ends', undefined, 'hangs'],
  ['a failure after an answer', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 502 Bad Gateway\r\n\r\n', 'answered 502'],
  ['their own words', `HTTP/1.1 400 Bad Request\r\n\r\n${marker}`, 'repeats what was sent'],
])('raw bytes must not get %s', (_, received, fault) => {
  expect(rawFaultsOf(received)).toEqual([fault]);
  expect(rawFaultsOf('HTTP/1.1 400 Bad Request\r\n\r\n')).toEqual([]);
});

it('raw bytes must find a host that listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, 'close');
  await expect(sendBytes(origin, Buffer.from('GET /'), 5000)).rejects.toThrow('ECONNREFUSED');
});
