import { Problem, problems, type RequestFault } from '../contract/problems.ts';

export function requestProblem(faults: readonly RequestFault[]): Problem {
  return new Problem('invalid_request', 'Correct what `errors` lists and send the request again.', {
    extra: { errors: faults },
  });
}

/** An RFC 9457 problem as an HTTP answer. */
export function problemResponse(problem: Problem, requestId: string) {
  const { status, title } = problems[problem.code];
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
    body: JSON.stringify({
      type: `urn:patient-invoice-payment:problem:${problem.code}`,
      title,
      status,
      detail: problem.message,
      code: problem.code,
      requestId,
      ...problem.extra,
    }),
  };
}
