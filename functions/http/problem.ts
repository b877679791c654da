import { internalError, type Problem, type Problems } from '../contract/problems.ts';

export function problemResponse(problem: Problem, problems: Problems, requestId: string) {
  const { status, title } = problems[problem.code] ?? internalError.internal_error;
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
