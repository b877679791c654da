import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { addressOf, filePutter } from '../../../functions/messages/practices/page-files.ts';
import { awsConfig, signatureOf, type SignedRequest } from '../../support/aws.ts';
import { startServer } from '../../support/server.ts';

const file = {
  key: 'logos/prc_1/abc.png',
  bytes: new TextEncoder().encode('an image'),
  contentType: 'image/png',
  cacheControl: 'public, max-age=31536000, immutable',
};

async function answering(...statuses: number[]) {
  const requests: SignedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const status = statuses[requests.length] ?? 200;
    requests.push({ method, url, headers, body: await text(request) });
    response.writeHead(status).end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
  });
  const access = awsConfig(`http://127.0.0.1:${await startServer(server)}`);
  return { put: filePutter('the-bucket', () => access), requests };
}

describe('an upload of a file', () => {
  it('is signed, with its content, and keeps its type and how long it may be cached', async () => {
    const { put, requests } = await answering(200);
    await put(file);
    const [request] = requests;
    if (!request) throw new Error('nothing was sent');
    expect(request).toMatchObject({
      method: 'PUT',
      url: '/the-bucket/logos/prc_1/abc.png',
      body: 'an image',
      headers: { 'content-type': 'image/png', 'cache-control': file.cacheControl },
    });
    const { authorization = '' } = request.headers;
    expect(authorization).toMatch(/\/us-east-1\/s3\/aws4_request, .*x-amz-content-sha256/);
    expect(authorization.split('Signature=')[1]).toBe(signatureOf(request, 'test'));
  });

  it('goes to the address that the SDK would use', () => {
    for (const region of ['us-east-1', 'us-west-2']) {
      const { origin, folder } = addressOf('the-bucket', { region });
      const { config } = new S3Client({ region });
      expect(`${origin}/`).toBe(config.endpointProvider({ Region: region, Bucket: 'the-bucket' }).url.href);
      expect(folder).toBe('');
    }
  });

  it('is repeated while S3 does not answer, and fails if S3 refuses it', async () => {
    const { put, requests } = await answering(500, 503, 200, 403);
    await put(file);
    expect(requests).toHaveLength(3);
    await expect(put(file)).rejects.toMatchObject({ name: 'AccessDenied', message: 'Access Denied' });
    expect(requests).toHaveLength(4);
  });
});
