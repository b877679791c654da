import type * as z from 'zod/mini';
import { Problem, requestFaultCodes, type RequestFault, type RequestFaultCode } from '../contract/problems.ts';
import { headerName } from '../domain/header-name.ts';

/** The Problem for a request that its route's schemas reject. `input` is what they parsed. */
export function requestProblem(issues: readonly z.core.$ZodIssue[], input: object): Problem {
  const errors = issues.map((issue) => describeFault(issue, input));
  return new Problem('invalid_request', 'Fix everything listed in `errors` and send the request again.', {
    extra: { errors },
  });
}

const details: Record<RequestFaultCode, string> = {
  required: 'This field is required.',
  invalid_type: 'This field has the wrong type.',
  invalid_value: 'This value is not allowed.',
  out_of_range: 'This number is out of range.',
  too_long: 'This text is too long.',
  unknown_field: 'Unknown field in this object.',
  too_many_keys: 'At most 16 keys are allowed.',
  sensitive_data: 'Remove this. Do not send health or account data.',
};

/** Repeats nothing that the caller sent. */
function describeFault(issue: z.core.$ZodIssue, input: object): RequestFault {
  const code = faultCode(issue, input);
  const detail = issue.message === defaultMessage ? details[code] : issue.message;
  return { pointer: pointerTo(issue.path), code, detail };
}

/** zod/mini's message for a schema without its own. */
const defaultMessage = 'Invalid input';

function faultCode(issue: z.core.$ZodIssue, input: object): RequestFaultCode {
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(input, issue.path) === undefined ? 'required' : 'invalid_type';
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
      return inner ? faultCode(inner, input) : 'invalid_value';
    }
    default:
      return 'invalid_value';
  }
}

function valueAt(input: object, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

/** A JSON pointer into the body, or the name of a parameter or header. Never a name the caller made up. */
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
