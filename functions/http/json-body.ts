import { Problem } from '../contract/problem.ts';
import type { HttpRequest } from './request.ts';

const kibibyte = 1024;
const defaultMaximum = 16 * kibibyte;

export function bodyBytes({ body = '', isBase64Encoded }: HttpRequest): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

export function readJson(request: HttpRequest, maximumBytes = defaultMaximum): unknown {
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (contentType !== 'application/json')
    throw new Problem('unsupported_media_type', 'Send the body as JSON with `Content-Type: application/json`.');
  const bytes = bodyBytes(request);
  if (bytes.length > maximumBytes) throw new Problem('body_too_large', `Send at most ${maximumBytes / kibibyte} KiB.`);
  try {
    const text = textOf(bytes);
    // The gateway replaces invalid UTF-8 with this; storing it would mangle a name.
    if (!text.includes('\ufffd')) return parseJson(text);
  } catch {
    // Not UTF-8, or not JSON.
  }
  throw new Problem('invalid_json', 'Send one JSON object, encoded as UTF-8.');
}

/** Drops a byte order mark. Throws if the bytes are not UTF-8. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** The names in the object at `path`, in the order sent: `JSON.parse` alone would move numeric names to the front. */
export function namesAt(request: HttpRequest, path: readonly PropertyKey[]): string[] {
  const marked = textOf(bodyBytes(request)).replaceAll(/"((?:[^"\\]|\\.)*"\s*:?)/g, (token, rest: string) =>
    token.endsWith(':') ? `"_${rest}` : token,
  );
  const object = path.reduce((value, name) => objectOf(value)[`_${String(name)}`], JSON.parse(marked));
  return Object.keys(objectOf(object)).map((name) => (name === '___proto__' ? '\0' : name.slice(1)));
}

function objectOf(value: unknown): Record<string, unknown> {
  return value instanceof Object ? { ...value } : {};
}

/** Renames `__proto__`, which zod's records skip, to a key that schemas reject. */
function parseJson(text: string): unknown {
  return JSON.parse(text, function (this: object, key, value: unknown) {
    if (key !== '__proto__') return value;
    Object.defineProperty(this, '\0', { value, enumerable: true });
    return undefined;
  });
}
