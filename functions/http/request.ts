import * as z from 'zod/mini';
import { noBody } from '../contract/route.ts';
import { Problem, type RequestFault, type RequestFaultCode, requestFaultCodes } from '../contract/problems.ts';
import { requestProblem } from './problem.ts';

/** What we use of an HTTP API event, payload format 2.0. Header names arrive in lower case. */
export const httpRequest = z.object({
  headers: z.record(z.string(), z.optional(z.string())),
  pathParameters: z.optional(z.record(z.string(), z.optional(z.string()))),
  rawQueryString: z.string(),
  body: z.optional(z.string()),
  isBase64Encoded: z.boolean(),
  requestContext: z.object({
    requestId: z.string(),
    routeKey: z.string(),
    http: z.object({ sourceIp: z.string(), userAgent: z.optional(z.string()) }),
  }),
});
export type HttpRequest = z.infer<typeof httpRequest>;

const maximumBodyBytes = 16 * 1024;

/** The token of `Authorization: Bearer <token>`, or undefined. */
export function bearerToken(request: HttpRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
}

function readJson(request: HttpRequest): unknown {
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (contentType !== 'application/json')
    throw new Problem('unsupported_media_type', 'Send the body as JSON with `Content-Type: application/json`.');
  const bytes = Buffer.from(request.body ?? '', request.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maximumBodyBytes) throw new Problem('body_too_large', 'Send at most 16 KiB.');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The gateway hands bytes that are not UTF-8 on as U+FFFD; stored, a name would be mangled for good.
    if (!text.includes('\ufffd')) return parseJson(text);
  } catch {
    // Told below.
  }
  throw new Problem('invalid_json', 'Send one JSON object, encoded as UTF-8.');
}

/** `JSON.parse`, but for a key `__proto__`, which zod's records pass over without a word: it is renamed to what no schema takes. */
function parseJson(text: string): unknown {
  return JSON.parse(text, function (this: object, key, value: unknown) {
    if (key !== '__proto__') return value;
    Object.defineProperty(this, '\0', { value, enumerable: true });
    return undefined;
  });
}

/** Reads and parses the body that a route takes; throws a problem with every fault that it has. */
export function parseBody<Schema extends z.ZodMiniType>(request: HttpRequest, schema: Schema): z.output<Schema> {
  const body = Object.is(schema, noBody) ? undefined : readJson(request);
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  throw requestProblem(parsed.error.issues.map((issue) => describeFault(issue, body, bodyPointer)));
}

const details: Record<RequestFaultCode, string> = {
  required: 'This field is required.',
  invalid_type: 'This has the wrong type.',
  invalid_value: 'This value is not allowed.',
  out_of_range: 'This number is out of range.',
  too_long: 'This text is too long.',
  unknown_field: 'There is a field here that this request does not have.',
  too_many_keys: 'There are more than 16 keys.',
  sensitive_data: 'Health or account data must not be sent. Remove it.',
};

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    body,
  );
}

function faultCode(issue: z.core.$ZodIssue, body: unknown): RequestFaultCode {
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(body, issue.path) === undefined ? 'required' : 'invalid_type';
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
      return inner ? faultCode(inner, body) : 'invalid_value';
    }
    default:
      return 'invalid_value';
  }
}

/** A pointer never names what the caller made up: a fault inside `metadata` points at `metadata`. */
function bodyPointer([first, ...rest]: readonly PropertyKey[]): string {
  const known = first === 'metadata' ? [first] : first === undefined ? [] : [first, ...rest];
  return known.map((key) => `/${String(key)}`).join('');
}

/** What is wrong with one place of a request, without a word of what the caller sent. */
export function describeFault(
  issue: z.core.$ZodIssue,
  given: unknown,
  pointerOf: (path: readonly PropertyKey[]) => string,
): RequestFault {
  const code = faultCode(issue, given);
  return { pointer: pointerOf(issue.path), code, detail: details[code] };
}
