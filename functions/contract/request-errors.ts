import type * as z from 'zod/mini';
import { expectationOf, nameExpectation, schemaAt, type Expectation } from './expectation.ts';

import { sensitiveRules, type SensitiveRule } from '../domain/sensitive-data.ts';
import { Problem } from './problem.ts';
import { headerName } from './route.ts';

export const requestErrors = {
  required: 'This field is required.',
  invalid_type: 'This field has the wrong type.',
  invalid_value: 'This value is not allowed.',
  out_of_range: 'This is out of range.',
  too_long: 'This text is too long.',
  unknown_field: 'Unknown field in this object.',
  too_many_keys: 'This object has too many keys.',
  repeated_key: 'This object has this key twice.',
  sensitive_data: 'Remove this. Do not send health or account data.',
} as const;

/** `pointer`: a JSON pointer into the body, or a header's or parameter's name. */
export interface RequestError extends Expectation {
  readonly pointer: string;
  /** The zero-based position of the wrong name in the object at `pointer`, in the order sent. */
  readonly index?: number;
  readonly code: keyof typeof requestErrors;
  readonly detail: string;
  /** Set only for `sensitive_data`: what the text looks like. */
  readonly rule?: SensitiveRule;
}

/** Returns the names in the object at a path in the body, in the order sent. */
export type NamesAt = (path: readonly PropertyKey[]) => readonly string[];

/** Leaves a message empty unless the schema has its own, and adds the input to each issue. */
export const errorParsing = { error: () => '', reportInput: true } as const;

/** `schema` covers all parts of the request: params, query, headers and body. */
export function requestProblem(
  issues: readonly z.core.$ZodIssue[],
  schema: z.core.$ZodType,
  namesAt: NamesAt = () => [],
): Problem {
  return invalidRequestWith(withoutEchoes(issues).flatMap((issue) => errorsOf(issue, schema, namesAt)));
}

export function invalidRequestWith(errors: readonly RequestError[]): Problem {
  const detail = 'Fix everything listed in `errors` and send the request again.';
  return new Problem('invalid_request', detail, { extra: { errors } });
}

/** zod also reports the length of a value of the wrong type, and reports an unsafe integer twice. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const at = JSON.stringify(issue.path);
    const is = `${at} ${issue.code} ${codeOf(issue)} ${ruleOf(issue)}`;
    const isEcho = seen.has(at) || seen.has(is);
    seen.add(issue.code === 'invalid_type' ? at : is);
    return !isEcho;
  });
}

function errorsOf(issue: z.core.$ZodIssue, parts: z.core.$ZodType, namesAt: NamesAt): RequestError[] {
  const code = codeOf(issue);
  const rule = ruleOf(issue);
  const detail = messageOf(issue) || requestErrors[code];
  const error = { pointer: pointerTo(issue.path), code, detail, ...(rule && { rule }) };
  const [part, ...path] = issue.path;
  const schema = schemaAt(parts, issue.path, issue.code === 'invalid_key');
  if (issue.code === 'unrecognized_keys') {
    const names = part === 'body' ? namesAt(path) : [];
    const unknown = part === 'query' ? 'Unknown query parameter.' : detail;
    return issue.keys.map((name) => ({
      ...error,
      detail: unknown,
      ...indexOf(name, names),
      ...nameExpectation(schema),
    }));
  }
  const [holder, name] = path;
  return [
    {
      ...error,
      ...(isMetadata(holder) && name !== undefined && indexOf(String(name), namesAt([holder]))),
      ...(schema && expectationOf(schema)),
    },
  ];
}

function indexOf(name: string, names: readonly string[]): { index?: number } {
  const index = names.indexOf(name);
  return index < 0 ? {} : { index };
}

function codeOf(issue: z.core.$ZodIssue): RequestError['code'] {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : 'invalid_type';
    case 'invalid_value':
      if (issue.input === undefined) return 'required';
      return issue.values.some((value) => typeof value === typeof issue.input) ? 'invalid_value' : 'invalid_type';
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

/** zod nests the issues of a key inside an `invalid_key` issue. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.message || (issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : '');
}

function ruleOf(issue: z.core.$ZodIssue): SensitiveRule | undefined {
  if (issue.code === 'custom') return sensitiveRules.find((rule) => rule === issue.params?.['rule']);
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return inner && ruleOf(inner);
}

function isCode(code: unknown): code is RequestError['code'] {
  return typeof code === 'string' && Object.hasOwn(requestErrors, code);
}

export function isMetadata(name: PropertyKey | undefined): name is 'metadata' {
  return name === 'metadata';
}

/** Leaves out metadata keys: they are the caller's own words. */
export function pointerTo([part, ...path]: readonly PropertyKey[]): string {
  const [first] = path;
  switch (part) {
    case 'body':
      return (isMetadata(first) ? [first] : path).map((key) => `/${String(key)}`).join('');
    case 'headers':
      return headerName(String(first ?? ''));
    default:
      return String(first ?? '');
  }
}
