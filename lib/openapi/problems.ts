import { sensitiveRules } from '../../functions/domain/sensitive-data.ts';
import { sessionStatusBody } from '../../functions/contract/sessions/session.ts';
import { serverProblems, type Problems } from '../../functions/contract/problems.ts';
import { requestErrors } from '../../functions/contract/request-errors.ts';
import { growingValues } from './schemas.ts';

const requestError = {
  type: 'object',
  required: ['pointer', 'code', 'detail'],
  properties: {
    pointer: {
      type: 'string',
      description:
        'A JSON pointer into the body, or the name of a header or parameter. For an unknown field or a metadata key, it points to the containing object.',
    },
    index: {
      type: 'integer',
      minimum: 0,
      description:
        'Which name in the object at `pointer` is at fault: its position in the order sent, from 0. The name itself is never repeated.',
    },
    code: { type: 'string', [growingValues]: Object.keys(requestErrors), description: 'The error, machine-readable.' },
    detail: { type: 'string', description: 'The error, human-readable.' },
    rule: {
      type: 'string',
      [growingValues]: sensitiveRules,
      description: 'With `sensitive_data`: what the text looks like.',
    },
    expected: { type: 'string', description: 'What the field takes: the type, then the format in words.' },
    minimum: { type: 'integer', description: 'The least it takes: a number, a length, or how many items.' },
    maximum: { type: 'integer', description: 'The most it takes: a number, a length, or how many items or keys.' },
  },
};

const sessionStatus = {
  type: 'string',
  enum: sessionStatusBody.shape.status.options,
  description: 'The current state of the session.',
};

const errors = { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/RequestError' } };

const extraFields: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  invalid_request: { errors: { ...errors, description: 'Every error in the request.' } },
  session_not_cancellable: { sessionStatus },
  session_not_pending: { sessionStatus },
  session_not_ended: { sessionStatus },
};

const optionalFields: typeof extraFields = {
  invalid_json: {
    errors: { ...errors, description: 'Every repeated key. Absent if the body is not JSON.' },
  },
};

/** RFC 9457. One schema per code: generators drop a schema that narrows another. */
function problemSchema(code: string, status: number, title: string) {
  const properties = {
    type: {
      type: 'string',
      format: 'uri',
      pattern: 'docs/errors#[a-z_]+$',
      description: 'Leads to what to do about the problem: a URL that ends in its code.',
    },
    title: { type: 'string', description: 'The problem in one sentence, the same for every occurrence.' },
    status: { type: 'integer', const: status, description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What to do about it, human-readable. The wording can change.' },
    code: { type: 'string', const: code, description: 'The problem, machine-readable. It never changes.' },
    requestId: { type: 'string', description: 'Equals the `Request-Id` header. Include it when you ask for help.' },
    ...extraFields[code],
  };
  return {
    type: 'object',
    description: title,
    required: Object.keys(properties),
    properties: { ...properties, ...optionalFields[code] },
  };
}

function schemaName(code: string): string {
  return `${code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Problem`;
}

export function problemSchemas(everyProblem: Problems) {
  return {
    ...Object.fromEntries(
      Object.entries(everyProblem).map(([code, { status, title }]) => [
        schemaName(code),
        problemSchema(code, status, title),
      ]),
    ),
    RequestError: requestError,
  };
}

function oneOfProblems(codes: readonly string[]) {
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${schemaName(code)}`]));
  const [first, ...others] = Object.values(mapping).map(($ref) => ({ $ref }));
  return others.length === 0 ? first : { oneOf: [first, ...others], discriminator: { propertyName: 'code', mapping } };
}

const requestId = { 'Request-Id': { $ref: '#/components/headers/RequestId' } };

const retryAfter = (description: string) => ({
  'Retry-After': { description, schema: { type: 'integer', minimum: 1 } },
});

const extraHeaders: Readonly<Record<number, object>> = {
  401: {
    'WWW-Authenticate': {
      required: true,
      description: 'The authentication scheme.',
      schema: { type: 'string', const: 'Bearer' },
    },
  },
  405: { Allow: { required: true, description: 'The methods that the path has.', schema: { type: 'string' } } },
  409: retryAfter('With `cancellation_pending`: seconds to wait before you retry.'),
  415: {
    'Accept-Encoding': {
      description: 'Only if the body came with a `Content-Encoding`.',
      schema: { type: 'string', const: 'identity' },
    },
  },
  429: retryAfter('Seconds to wait before you retry. The gateway does not send it.'),
  503: retryAfter('Seconds to wait before you retry.'),
};

/** The headers of every response to a request with a valid key. */
export const limitHeaders = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

export function problemResponses(declared: Problems) {
  const problems: Problems = { ...declared, ...serverProblems };
  const statuses = [...new Set(Object.values(problems).map(({ status }) => status))];
  statuses.sort((left, right) => left - right);
  return Object.fromEntries(statuses.map((status) => [String(status), problemResponse(status, problems)]));
}

/** The headers of problems with this status. */
export function problemResponse(status: number, problems: Problems) {
  const ofStatus = Object.entries(problems).filter(([, problem]) => problem.status === status);
  const codes = ofStatus.map(([code]) => code);
  const mayRetry = status !== 409 || codes.includes('cancellation_pending');
  return {
    description: ofStatus.map(([code, { title }]) => `- \`${code}\`: ${title}`).join('\n'),
    headers: { ...requestId, ...(mayRetry && extraHeaders[status]), ...(status !== 401 && limitHeaders) },
    content: contentOf(oneOfProblems(codes)),
  };
}

/** Problems of requests that match no operation. Linters do not see references from here. */
export function problemElsewhere([code, { status, title }]: [string, Problems[string]]) {
  const schema = problemSchema(code, status, title);
  return { description: title, headers: { ...requestId, ...extraHeaders[status] }, content: contentOf(schema) };
}

function contentOf(schema: object | undefined) {
  return { 'application/problem+json': { schema } };
}
