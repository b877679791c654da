import { marker } from '../support/hostile-requests.ts';
import { distributionMethods, type HttpAnswer, type HttpRequest } from '../support/http-request.ts';
import { problems } from '../support/problems.ts';
import type { NamedTarget } from './targets.ts';

/** What the distributions forward to the API. Everything else is a file, or does not exist. */
const forwarded = { apiUrl: /^/, hostedUrl: /^\/api\/patient\//, dashboardUrl: /^\/api\/dashboard\// } as const;

/** What is wrong with an answer: it failed, repeats what was sent, or is a refusal in a form other than ours. */
export function faultsOf(request: HttpRequest, answer: HttpAnswer, { host }: NamedTarget): string[] {
  if (answer.status >= 500 && !isBankDown(answer)) return [`answered ${answer.status}`];
  if (answer.status < 400) return [];
  const said = `${JSON.stringify(answer.headers)}${answer.body}`.toLowerCase();
  const echo = said.includes(marker) ? ['repeats what was sent'] : [];
  const isOurs =
    !isThrottled(answer) &&
    forwarded[host].test(request.target) &&
    (host === 'apiUrl' || distributionMethods.includes(request.method));
  return isOurs && request.method !== 'HEAD' ? [...echo, ...formFaults(answer)] : echo;
}

/** The processor's refusal, which the page shows as such. */
const isBankDown = ({ status, body }: HttpAnswer) => status === 503 && codeOf(body) === 'bank_unavailable';

/** API Gateway's own answer above the limit of a route. */
const isThrottled = ({ status, body }: HttpAnswer) => status === 429 && body === '{"message":"Too Many Requests"}';

function formFaults({ status, headers, body }: HttpAnswer): string[] {
  if (headers['content-type'] !== 'application/problem+json') return [`a refusal is ${headers['content-type']}`];
  const code = codeOf(body);
  if (!Object.hasOwn(problems, code)) return [`the code ${code} is not documented`];
  const { requestId, status: said } = JSON.parse(body);
  return [
    ...(said === status ? [] : [`says ${said} with the status ${status}`]),
    ...(requestId === headers['request-id'] ? [] : ['lacks the ID of its request']),
  ];
}

export function codeOf(body: string): string {
  try {
    return String(JSON.parse(body).code);
  } catch {
    return 'unreadable';
  }
}
