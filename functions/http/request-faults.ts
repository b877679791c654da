import type * as z from 'zod/mini';
import { Problem, requestFaultCodes, type RequestFault, type RequestFaultCode } from '../contract/problems.ts';
import { headerName } from '../domain/header-name.ts';

/** The problem for a request that its route's schemas reject. `given` is what they were given. */
export function requestProblem(issues: readonly z.core.$ZodIssue[], given: object): Problem {
  const errors = issues.map((issue) => describeFault(issue, given));
  return new Problem('invalid_request', 'Fix everything listed in `errors` and send the request again.', {
    extra: { errors },
  });
}

const details: Record<RequestFaultCode, string> = {
  required: 'This field is required.',
  invalid_type: 'This has the wrong type.',
  invalid_value: 'This value is not allowed.',
  out_of_range: 'This number is out of range.',
  too_long: 'This text is too long.',
  unknown_field: 'Unknown field in this object.',
  too_many_keys: 'At most 16 keys are allowed.',
  sensitive_data: 'Do not send health or account data. Remove it.',
};

/** Describes one fault without repeating anything that the caller sent. */
function describeFault(issue: z.core.$ZodIssue, given: object): RequestFault {
  const code = faultCode(issue, given);
  const detail = issue.message === unspecificMessage ? details[code] : issue.message;
  return { pointer: pointerTo(issue.path), code, detail };
}

/** zod/mini's message for every issue whose schema has none of its own. */
const unspecificMessage = 'Invalid input';

function faultCode(issue: z.core.$ZodIssue, given: object): RequestFaultCode {
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(given, issue.path) === undefined ? 'required' : 'invalid_type';
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : 'out_of_range';
    case 'too_small':
      return issue.origin === 'string' ? 'required' : 'out_of_range';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'custom':
      return requestFaultCodes.find((code) => code === issue.params?.['fault']) ?? 'invalid_value';
    case 'invalid_key': {
      const [inner] = issue.issues;
      return inner ? faultCode(inner, given) : 'invalid_value';
    }
    default:
      return 'invalid_value';
  }
}

function valueAt(given: object, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    given,
  );
}

/** A JSON pointer into the body, or the name of a parameter or header. Never a name that the caller made up. */
function pointerTo([part, ...path]: readonly PropertyKey[]): string {
  const [first] = path;
  switch (part) {
    case 'body':
      return (first === 'metadata' ? [first] : path).map((key) => `/${String(key)}`).join('');
    case 'headers':
      return headerName(String(first ?? ''));
    default:
      return String(first ?? '');
  }
}
