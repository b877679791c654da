import { sessionStatusBody } from '../../functions/contract/practice-api/session.ts';
import { internalError, type ProblemCode, type Problems } from '../../functions/contract/problems.ts';
import { requestErrors } from '../../functions/contract/request-errors.ts';

/** RFC 9457, plus the fields of two problems. */
export const problemSchemas = {
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: {
        type: 'string',
        format: 'uri',
        pattern: '/docs/errors#[a-z_]+$',
        description: 'Leads to what to do about the problem: a URL that ends in its code.',
      },
      title: { type: 'string', description: 'The problem in one sentence, the same for every occurrence.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What to do about it, human-readable. The wording can change.' },
      code: {
        type: 'string',
        description: 'The problem, machine-readable. Codes never change; new ones can be added.',
      },
      requestId: { type: 'string', description: 'Equals the `Request-Id` header. Include it when you ask for help.' },
      errors: {
        type: 'array',
        minItems: 1,
        items: { $ref: '#/components/schemas/RequestFault' },
        description: 'Every error in the request. Only with `invalid_request`.',
      },
      sessionStatus: {
        type: 'string',
        enum: sessionStatusBody.shape.status.options,
        description: 'The current state of the session. Only with `session_not_cancellable` and `session_not_pending`.',
      },
    },
    allOf: [
      onlyWith(['invalid_request'], 'errors'),
      onlyWith(['session_not_cancellable', 'session_not_pending'], 'sessionStatus'),
    ],
  },
  RequestFault: {
    type: 'object',
    required: ['pointer', 'code', 'detail'],
    properties: {
      pointer: {
        type: 'string',
        description:
          'A JSON pointer into the body, or the name of a header or parameter. For an unknown field or a metadata key, it points to the containing object.',
      },
      code: { type: 'string', enum: Object.keys(requestErrors), description: 'The error, machine-readable.' },
      detail: { type: 'string', description: 'The error, human-readable.' },
    },
  },
} as const;

function onlyWith(codes: ProblemCode[], field: string) {
  return {
    if: { properties: { code: { enum: codes } } },
    then: { required: [field], properties: { [field]: true } },
    else: { properties: { [field]: false } },
  };
}

const requestId = { 'Request-Id': { $ref: '#/components/headers/RequestId' } };

const extraHeaders: Readonly<Record<number, object>> = {
  401: {
    'WWW-Authenticate': {
      required: true,
      description: 'The authentication scheme.',
      schema: { type: 'string', const: 'Bearer' },
    },
  },
  405: {
    Allow: {
      required: true,
      description: 'The methods that the path has.',
      schema: { type: 'string' },
    },
  },
  409: {
    'Retry-After': {
      description: 'With `cancellation_pending`: seconds to wait before you retry.',
      schema: { type: 'integer', minimum: 1 },
    },
  },
};

export function problemResponses(declared: Problems) {
  const problems = Object.entries<Problems[string]>({ ...declared, ...internalError });
  const statuses = [...new Set(problems.map(([, { status }]) => status))].sort((left, right) => left - right);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = problems.filter(([, problem]) => problem.status === status);
      const codes = ofStatus.map(([code]) => code);
      const mayRetry = status !== 409 || codes.includes('cancellation_pending');
      return [
        String(status),
        {
          description: ofStatus.map(([code, { title }]) => `- \`${code}\`: ${title}`).join('\n'),
          headers: { ...requestId, ...(mayRetry && extraHeaders[status]) },
          content: {
            'application/problem+json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Problem' },
                  { properties: { status: { const: status }, code: { enum: codes } } },
                ],
              },
            },
          },
        },
      ];
    }),
  );
}
