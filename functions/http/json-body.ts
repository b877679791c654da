import { MIMEType } from 'node:util';
import type * as z from 'zod/mini';
import { type SentNames, repeatedKeys } from '../contract/repeated-keys.ts';
import { Problem } from '../contract/problem.ts';
import type { NamesAt } from '../contract/request-errors.ts';
import type { HttpRequest } from './request.ts';

/** Whether a JSON number is the integer that `JSON.parse` made of it: 1e2 is 100, 100.00000000000000001 is not. */
function isExactly(integer: number, source: string): boolean {
  return normalized(source) === normalized(String(BigInt(integer)));
}

/** Returns the digits without leading or trailing zeros, and the power of ten of the last digit. */
function normalized(source: string): string {
  const [mantissa = '', power = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = /^-?0*(\d*[1-9])?(0*)$/.exec(whole + fraction);
  const [, significant, zeros = ''] = digits ?? [];
  return significant === undefined ? '0' : `${significant}e${Number(power) - fraction.length + zeros.length}`;
}

interface Open {
  readonly names: string[];
  readonly inside: Map<string, SentNames>;
  /** The name or the position of the value that is being read. */
  at: string | number;
}

const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g;

/** Expects valid JSON. */
function namesIn(json: string): SentNames {
  const top: Open = { names: [], inside: new Map(), at: '' };
  const open = [top];
  for (const [sign, text, colon] of json.matchAll(token)) {
    const reading = open.at(-1) ?? top;
    if (text !== undefined && colon !== undefined) {
      reading.at = nameOf(text);
      reading.names.push(reading.at);
    } else if (sign === '{' || sign === '[') {
      const inner = { names: [], inside: new Map(), at: sign === '[' ? 0 : '' };
      reading.inside.set(String(reading.at), inner);
      open.push(inner);
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',' && typeof reading.at === 'number') reading.at += 1;
  }
  return top.inside.get('') ?? top;
}

/** Decodes escapes, and renames `__proto__` like the parsed body does. */
function nameOf(text: string): string {
  const name = String(JSON.parse(text));
  return name === '__proto__' ? unsafeName : name;
}

/** Replaces `__proto__`, which zod's records skip. Schemas reject it. */
const unsafeName = '\0';

const kibibyte = 1024;
const defaultMaximum = 16 * kibibyte;

interface JsonBody {
  readonly value: unknown;
  readonly namesAt: NamesAt;
}

export function bodyBytes({ body = '', isBase64Encoded }: HttpRequest): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

/** `schema` only tells which names may appear in a pointer. */
export function readJson(
  request: HttpRequest,
  schema: z.core.$ZodType,
  maximumBytes: number = defaultMaximum,
): JsonBody {
  requirePlainJson(request.headers);
  const bytes = bodyBytes(request);
  if (bytes.length > maximumBytes) throw new Problem('body_too_large', `Send at most ${maximumBytes / kibibyte} KiB.`);
  const { text, value } = parsed(bytes);
  const sent = namesIn(text);
  const errors = repeatedKeys(sent, schema);
  if (errors.length > 0)
    throw new Problem('invalid_json', 'Send each key of an object once. `errors` lists those sent twice.', {
      extra: { errors },
    });
  return {
    value,
    namesAt: (path) => path.reduce<SentNames | undefined>((at, key) => at?.inside.get(String(key)), sent)?.names ?? [],
  };
}

function requirePlainJson(headers: HttpRequest['headers']): void {
  const { essence, params } = mimeTypeOf(headers['content-type']) ?? {};
  if (essence !== 'application/json')
    throw new Problem('unsupported_media_type', 'Send the body as JSON with `Content-Type: application/json`.');
  if (!utf8.has(params?.get('charset')?.toLowerCase() ?? 'utf-8'))
    throw new Problem(
      'unsupported_media_type',
      'Encode the body as UTF-8, and send `Content-Type: application/json` without another `charset`.',
    );
  const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  if (!codings.every((coding) => ['', 'identity'].includes(coding.trim())))
    throw new Problem('unsupported_media_type', 'Send the body uncompressed and without `Content-Encoding`.', {
      headers: { 'accept-encoding': 'identity' },
    });
}

/** ASCII is UTF-8 too. */
const utf8 = new Set(['utf-8', 'utf8', 'us-ascii']);

function mimeTypeOf(header = ''): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}

function parsed(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    // Drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The gateway replaces invalid UTF-8 with this; storing it would mangle a name.
    if (!text.includes('\ufffd')) return { text, value: JSON.parse(text, exact) };
  } catch {
    // The bytes are not UTF-8, or the text is not JSON.
  }
  throw new Problem('invalid_json', 'Send one JSON object, encoded as UTF-8.');
}

/** Hides `__proto__` from zod, and numbers that only look like the integer that JavaScript makes of them. */
function exact(this: object, key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !isExactly(value, source)) return Number.NaN;
  if (key !== '__proto__') return value;
  Object.defineProperty(this, unsafeName, { value, enumerable: true });
  return undefined;
}
