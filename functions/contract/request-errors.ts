import type * as z from 'zod/mini';
import { Problem, requestErrorCodes, type RequestError, type RequestErrorCode } from './problems.ts';
import { headerName } from './route.ts';

/** With these, zod leaves the message of a schema without its own empty, and keeps the rejected value. */
export const errorParsing = { error: () => '', reportInput: true } as const;

/** The Problem for a request that its route's schemas reject, parsed with `errorParsing`. */
export function requestProblem(issues: readonly z.core.$ZodIssue[]): Problem {
  return new Problem('invalid_request', 'Fix everything listed in `errors` and send the request again.', {
    extra: { errors: issues.map(requestError) },
  });
}

/** Repeats nothing that the caller sent. */
function requestError(issue: z.core.$ZodIssue): RequestError {
  const code = codeOf(issue);
  return { pointer: pointerTo(issue.path), code, detail: issue.message || details[code] };
}

const details: Record<RequestErrorCode, string> = {
  required: 'This field is required.',
  invalid_type: 'This field has the wrong type.',
  invalid_value: 'This value is not allowed.',
  out_of_range: 'This number is out of range.',
  too_long: 'This text is too long.',
  unknown_field: 'Unknown field in this object.',
  too_many_keys: 'This object has too many keys.',
  sensitive_data: 'Remove this. Do not send health or account data.',
};

function codeOf(issue: z.core.$ZodIssue): RequestErrorCode {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : 'invalid_type';
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : 'out_of_range';
    case 'too_small':
      return issue.origin === 'string' ? 'required' : 'out_of_range';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'custom':
      return requestErrorCodes.find((code) => code === issue.params?.['code']) ?? 'invalid_value';
    case 'invalid_key': {
      const [inner] = issue.issues;
      return inner ? codeOf(inner) : 'invalid_value';
    }
    default:
      return 'invalid_value';
  }
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
