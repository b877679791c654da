import type { Problem } from '../contract/problem.ts';
import { serverProblems, type Problems } from '../contract/problems.ts';

/** `type` links to the code's entry in the docs. */
export function problemResponse(problem: Problem, ofRoute: Problems, docsUrl: string, requestId: string) {
  const problems: Problems = { ...ofRoute, ...serverProblems };
  const { status, title } = problems[problem.code] ?? serverProblems.internal_error;
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
