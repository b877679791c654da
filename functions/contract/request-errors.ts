import type * as z from 'zod/mini';
import { Problem } from './problems.ts';
import { headerName } from './route.ts';

export const requestErrors = {
  required: 'This field is required.',
  invalid_type: 'This field has the wrong type.',
  invalid_value: 'This value is not allowed.',
  out_of_range: 'This number is out of range.',
  too_long: 'This text is too long.',
  unknown_field: 'Unknown field in this object.',
  too_many_keys: 'This object has too many keys.',
  sensitive_data: 'Remove this. Do not send health or account data.',
} as const;

/** `pointer`: a JSON pointer into the body, or a header's or parameter's name. */
interface RequestError {
  readonly pointer: string;
  readonly code: keyof typeof requestErrors;
  readonly detail: string;
}

/** Messages stay empty unless a schema has its own. Issues carry their input. */
export const errorParsing = { error: () => '', reportInput: true } as const;

export function requestProblem(issues: readonly z.core.$ZodIssue[]): Problem {
  return new Problem('invalid_request', 'Fix everything listed in `errors` and send the request again.', {
    extra: { errors: issues.map(requestError) },
  });
}

function requestError(issue: z.core.$ZodIssue): RequestError {
  const code = codeOf(issue);
  return { pointer: pointerTo(issue.path), code, detail: issue.message || requestErrors[code] };
}

function codeOf(issue: z.core.$ZodIssue): RequestError['code'] {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : 'invalid_type';
    case 'too_big':
      return issue.origin === 'string' ? 'too_long' : 'out_of_range';
    case 'too_small':
      return issue.origin === 'string' ? 'required' : 'out_of_range';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'custom': {
      const code: unknown = issue.params?.['code'];
      return isCode(code) ? code : 'invalid_value';
    }
    case 'invalid_key': {
      const [inner] = issue.issues;
      return inner ? codeOf(inner) : 'invalid_value';
    }
    default:
      return 'invalid_value';
  }
}

function isCode(code: unknown): code is RequestError['code'] {
  return typeof code === 'string' && Object.hasOwn(requestErrors, code);
}

/** Never a name that the caller made up. */
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
