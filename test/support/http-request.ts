import { request } from 'node:http';

export interface HttpRequest {
  readonly method: string;
  /** Path and query, sent as they are. */
  readonly target: string;
  /** Sent in this order; a name may repeat. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends requests that `fetch` would correct or refuse. Throws if the answer takes more than `timeout` milliseconds. */
export function sendHttp(
  origin: string,
  { method, target, headers, body }: HttpRequest,
  timeout = 3000,
): Promise<HttpAnswer> {
  const { hostname, port, host } = new URL(origin);
  const bodyHeaders =
    body.length > 0 || !['GET', 'HEAD'].includes(method) ? [['content-length', String(body.length)] as const] : [];
  const all = [['host', host] as const, ...headers, ...bodyHeaders];
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout);
    const sent = request(
      { hostname, port, method, path: target, headers: all.flat(), agent: false, signal },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const named = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          resolve({ status: response.statusCode ?? 0, headers: named, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
