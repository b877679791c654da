import { internalError, type Problem, type Problems } from '../contract/problems.ts';

/** `type` leads to the code's entry in the docs. */
export function problemResponse(problem: Problem, problems: Problems, docsUrl: string, requestId: string) {
  const { status, title } = problems[problem.code] ?? internalError.internal_error;
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
    body: JSON.stringify({
      type: `${docsUrl}/errors#${problem.code}`,
      title,
      status,
      detail: problem.message,
      code: problem.code,
      requestId,
      ...problem.extra,
    }),
  };
}
