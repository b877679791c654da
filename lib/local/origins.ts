import { request as httpRequest } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

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

/** Without permission to list objects, S3 calls a missing object forbidden. */
const accessDenied =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

/** Sends paths raw, so none can climb out of the bucket. */
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
