import { createHash, createHmac, type BinaryLike } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const hmac = (secret: BinaryLike, content: string) => createHmac('sha256', secret).update(content).digest();

/** The signature that AWS would expect: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
export function signatureOf({ method, url, headers, body }: SignedRequest, secretAccessKey: string): string {
  const [, scope = '', signed = ''] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, url, '', lines.join(''), signed, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const signingKey = scope.split('/').reduce<BinaryLike>(hmac, `AWS4${secretAccessKey}`);
  return hmac(signingKey, toSign).toString('hex');
}

export function awsConfig(endpoint: string) {
  return { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
}
