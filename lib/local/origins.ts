import { request as httpRequest } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

interface OriginRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** All headers that the viewer sent, for conditional requests: CloudFront answers those itself. */
  readonly viewerHeaders: Readonly<Record<string, string>>;
  readonly body: Readable;
}

export interface OriginAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

export type Origin = (request: OriginRequest) => Promise<OriginAnswer>;

export function httpOrigin(host: string): Origin {
  const [hostname, port] = host.split(':');
  return ({ method, target, headers, body }) =>
    new Promise((resolve) => {
      const unreachable = () =>
        resolve({ status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>502 ERROR</h1>') });
      const outgoing = httpRequest({ hostname, port, method, path: target, headers }, (incoming) => {
        buffer(incoming).then((content) => {
          const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = incoming.headers;
          const named = Object.entries(kept).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value] as const],
          );
          resolve({ status: incoming.statusCode ?? 502, headers: Object.fromEntries(named), body: content });
        }, unreachable);
      });
      outgoing.on('error', unreachable);
      body.pipe(outgoing);
    });
}

/** Without permission to list objects, S3 reports a missing object as forbidden. */
const accessDenied =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

/** Sends paths as they are, so none can climb out of the bucket. */
export function bucketOrigin(host: string, bucket: string): Origin {
  const s3 = httpOrigin(host);
  return async (request) => {
    const { method, target, viewerHeaders } = request;
    const [path = ''] = target.split('?');
    const readable = path !== '/' && ['GET', 'HEAD'].includes(method);
    const object = readable
      ? await s3({ ...request, method: 'GET', target: `/${bucket}${path}`, headers: {} })
      : undefined;
    if (object?.status !== 200)
      return { status: 403, headers: { 'content-type': 'application/xml' }, body: Buffer.from(accessDenied) };
    const headers = Object.fromEntries(Object.entries(object.headers).filter(([name]) => keptHeaders.has(name)));
    const unchanged = viewerHeaders['if-none-match']?.replace(/^W\//, '') === headers['etag'];
    return unchanged ? { status: 304, headers, body: Buffer.alloc(0) } : { status: 200, headers, body: object.body };
  };
}

const keptHeaders = new Set(['content-type', 'etag', 'last-modified', 'cache-control']);

const compressible = /^(text\/|application\/(javascript|json|xml|manifest\+json)|image\/svg\+xml|font\/)/;
const [smallest, largest] = [1000, 10_000_000];

/** Compresses an answer as CloudFront does for this viewer. */
export async function compressed(answer: OriginAnswer, acceptEncoding = ''): Promise<OriginAnswer> {
  const type = String(answer.headers['content-type'] ?? '');
  const { length } = answer.body;
  if (
    answer.status !== 200 ||
    length < smallest ||
    length > largest ||
    !compressible.test(type) ||
    answer.headers['content-encoding'] !== undefined
  )
    return answer;
  const encoding = /\bbr\b/.test(acceptEncoding) ? 'br' : /\bgzip\b/.test(acceptEncoding) ? 'gzip' : undefined;
  const headers = { ...answer.headers, vary: 'Accept-Encoding' };
  if (encoding === undefined) return { ...answer, headers };
  const body =
    encoding === 'br'
      ? await promisify(brotliCompress)(answer.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      : await promisify(gzip)(answer.body);
  const { etag } = answer.headers;
  // CloudFront weakens the tag because compression changes the bytes.
  const weak = typeof etag === 'string' && !etag.startsWith('W/') ? { etag: `W/${etag}` } : {};
  return { ...answer, headers: { ...headers, ...weak, 'content-encoding': encoding }, body };
}
