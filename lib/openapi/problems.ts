import { sessionStatusBody } from '../../functions/contract/practice-api.ts';
import { problems, requestFaultCodes, type ProblemCode } from '../../functions/contract/problems.ts';

/** RFC 9457, with what two of the problems add. The codes that an operation answers with stand at its answers. */
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
      status: { type: 'integer', description: 'The status of the answer.' },
      detail: { type: 'string', description: 'What to do about it. For people; its wording may change.' },
      code: { type: 'string', description: 'The problem, for programs. A code is never renamed; new ones may come.' },
      requestId: { type: 'string', description: 'Equal to the `Request-Id` header. Quote it when you ask for help.' },
      errors: {
        type: 'array',
        minItems: 1,
        items: { $ref: '#/components/schemas/RequestFault' },
        description: 'Every fault of the request. With `invalid_request` only.',
      },
      sessionStatus: {
        type: 'string',
        enum: sessionStatusBody.shape.status.options,
        description: 'The state that the session is in. With `session_not_cancellable` only.',
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
          'A JSON pointer into the body, or the name of a header or parameter. Names that you made up are not repeated: it then points at what holds them.',
      },
      code: { type: 'string', enum: requestFaultCodes, description: 'The fault, for programs.' },
      detail: { type: 'string', description: 'The fault, for people.' },
    },
  },
} as const;

/** A field that is there with one problem and with no other. */
function onlyWith(code: ProblemCode, field: string) {
  return {
    if: { properties: { code: { const: code } } },
    then: { required: [field], properties: { [field]: true } },
    else: { properties: { [field]: false } },
  };
}

const requestId = { 'Request-Id': { $ref: '#/components/headers/RequestId' } };

/** Headers beside `Request-Id`, of a whole status or of one problem alone. */
const extraHeaders: Readonly<Record<number, object>> = {
  401: {
    'WWW-Authenticate': {
      required: true,
      description: 'The scheme to authenticate with.',
      schema: { type: 'string', const: 'Bearer' },
    },
  },
  409: {
    'Retry-After': {
      description: 'With `cancellation_pending`: in how many seconds to ask again.',
      schema: { type: 'integer', minimum: 1 },
    },
  },
};

/** The answers of an operation that are problems, by status; each tells which codes it may have. */
export function problemResponses(codes: readonly ProblemCode[]) {
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
