import { sessionStatusBody } from '../../functions/contract/practice-api/session.ts';
import {
  commonProblems,
  practiceApiProblems,
  requestErrorCodes,
  type PracticeProblemCode,
} from '../../functions/contract/problems.ts';

/** RFC 9457, plus the fields that two problems add. The responses of each operation list its codes. */
export const problemSchemas = {
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: {
        type: 'string',
        pattern: '^urn:patient-invoice-payment:problem:[a-z_]+$',
        description: 'Identifies the problem: a URN that ends in its code.',
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
        description: 'The current state of the session. Only with `session_not_cancellable`.',
      },
    },
    allOf: [onlyWith('invalid_request', 'errors'), onlyWith('session_not_cancellable', 'sessionStatus')],
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
      code: { type: 'string', enum: requestErrorCodes, description: 'The error, machine-readable.' },
      detail: { type: 'string', description: 'The error, human-readable.' },
    },
  },
} as const;

/** A field that one problem requires and no other has. */
function onlyWith(code: PracticeProblemCode, field: string) {
  return {
    if: { properties: { code: { const: code } } },
    then: { required: [field], properties: { [field]: true } },
    else: { properties: { [field]: false } },
  };
}

const requestId = { 'Request-Id': { $ref: '#/components/headers/RequestId' } };

/** Headers besides `Request-Id`. */
const extraHeaders: Readonly<Record<number, object>> = {
  401: {
    'WWW-Authenticate': {
      required: true,
      description: 'The authentication scheme.',
      schema: { type: 'string', const: 'Bearer' },
    },
  },
  409: {
    'Retry-After': {
      description: 'With `cancellation_pending`: seconds to wait before you retry.',
      schema: { type: 'integer', minimum: 1 },
    },
  },
};

const problems = { ...commonProblems, ...practiceApiProblems };

/** The problem responses of an operation, by status. */
export function problemResponses(codes: readonly PracticeProblemCode[]) {
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((left, right) => left - right);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => problems[code].status === status);
      const mayRetry = status !== 409 || ofStatus.includes('cancellation_pending');
      return [
        String(status),
        {
          description: ofStatus.map((code) => `- \`${code}\`: ${problems[code].title}`).join('\n'),
          headers: { ...requestId, ...(mayRetry && extraHeaders[status]) },
          content: {
            'application/problem+json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Problem' },
                  { properties: { status: { const: status }, code: { enum: ofStatus } } },
                ],
              },
            },
          },
        },
      ];
    }),
  );
}
