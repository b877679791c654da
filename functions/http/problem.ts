import { problems, type ProblemCode, type RequestFault } from '../contract/problems.ts';

/** An answer other than success, thrown from wherever it is found. What it says is meant for the caller; see `problems`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.extra = options.extra ?? {};
    this.headers = options.headers ?? {};
  }
}

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
