import { expect } from 'vitest';
import { patientRoutes, practiceRoutes } from '../../functions/contract/routes.ts';
import type { PatientProblemCode, ProblemCode } from '../../functions/contract/problem.ts';
import { requestErrors } from '../../functions/contract/request-errors.ts';
import { marker } from '../support/hostile-requests.ts';
import { problems } from '../support/problems.ts';
import type { HttpAnswer, HttpRequest } from '../support/http-request.ts';

function routeOf({ method, target }: HttpRequest) {
  const [path = ''] = target.split('?');
  return Object.values({ ...practiceRoutes, ...patientRoutes }).find(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

/** A refused sign-in counts as an attempt; other refusals write nothing. */
const countedRefusals: readonly string[] = [
  'bank_connection_failed',
  'bank_connection_locked',
] satisfies PatientProblemCode[];

/** Returns the IDs of the sessions that the request may change. */
export function checkAnswer(request: HttpRequest, answer: HttpAnswer, targetId: string): string[] {
  const whole = JSON.stringify(answer);
  expect(answer.status, whole).toBeLessThan(500);
  expect(answer.headers['request-id'] ?? '', whole).toMatch(/^[\w-]{10,}$/);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['strict-transport-security']).toContain('max-age=63072000');
  if (answer.status < 400) return checkSuccess(request, answer, targetId);

  expect(JSON.stringify(answer.headers).toLowerCase()).not.toContain(marker);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  if (request.method === 'HEAD') return [];
  expect(answer.body.toLowerCase()).not.toContain(marker);
  const { code, ...problem } = JSON.parse(answer.body) as {
    code: ProblemCode;
    errors?: { code: string; pointer: string }[];
  };
  expect(Object.keys(problems)).toContain(code);
  expect(problem).toMatchObject({ ...problems[code], status: answer.status, requestId: answer.headers['request-id'] });
  const codes = (problem.errors ?? []).map((error) => error.code);
  // For a body that is not valid JSON, errors appear only if it repeats a key.
  if (code === 'invalid_json') expect(codes.filter((each) => each !== 'repeated_key')).toEqual([]);
  else expect(code === 'invalid_request').toBe(problem.errors !== undefined);
  for (const error of problem.errors ?? []) {
    expect(Object.keys(requestErrors)).toContain(error.code);
    expect(error.pointer).toMatch(
      /^(|\/invoiceId|\/amountCents|\/patient|\/patient\/(first|last)Name|\/metadata|\/username|\/password|\/authorization(Accepted|Id)|\/payerName|status|invoiceId|limit|cursor|Idempotency-Key)$/,
    );
  }
  return countedRefusals.includes(code) ? [targetId] : [];
}

function checkSuccess(request: HttpRequest, answer: HttpAnswer, targetId: string): string[] {
  const route = routeOf(request);
  const body: unknown = JSON.parse(answer.body);
  expect(answer.status).toBe(route?.status);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(route?.response.parse(body), 'exactly the documented fields').toEqual(body);
  if (route?.method === 'GET') return [];
  return route === practiceRoutes.createSession ? [(body as { sessionId: string }).sessionId] : [targetId];
}

export function checkStored(request: HttpRequest, answer: HttpAnswer, rows: ReadonlySet<string>): void {
  const sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body)) as object;
  const { sessionId } = JSON.parse(answer.body) as { sessionId: string };
  const row =
    [...rows].find((text) => text.includes(`"sessionId":"${sessionId}"`) && text.includes('"tokenHash"')) ?? '';
  const { invoiceId, amountCents, patient, metadata } = JSON.parse(row.slice(row.indexOf(' '))) as Record<
    string,
    unknown
  >;
  expect({ invoiceId, amountCents, patient, metadata }).toEqual({ metadata: {}, ...sent });
}
