import { Problem, problems, type ProblemCode } from '../contract/problems.ts';

/** A Problem that a route can return. */
export type ApiProblem = Pick<Problem, 'message' | 'extra' | 'headers'> & { readonly code: ProblemCode };

export function isApiProblem(error: unknown): error is Problem & ApiProblem {
  return error instanceof Problem && Object.hasOwn(problems, error.code);
}

/** An RFC 9457 problem as an HTTP response. */
export function problemResponse({ code, message, extra, headers }: ApiProblem, requestId: string) {
  const { status, title } = problems[code];
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify({
      type: `urn:patient-invoice-payment:problem:${code}`,
      title,
      status,
      detail: message,
      code,
      requestId,
      ...extra,
    }),
  };
}
