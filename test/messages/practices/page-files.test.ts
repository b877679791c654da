import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { awsClient } from '../../../functions/aws-client.ts';
import { filePutter } from '../../../functions/messages/practices/page-files.ts';
import { awsConfig } from '../../support/answered-client.ts';
import { startServer } from '../../support/server.ts';

const file = {
  key: 'logos/prc_1/abc.png',
  bytes: new TextEncoder().encode('an image'),
  contentType: 'image/png',
  cacheControl: 'public, max-age=31536000, immutable',
};

async function answering(...statuses: number[]) {
  const requests: object[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const status = statuses[requests.length] ?? 200;
    requests.push({ method, url, headers, body: await text(request) });
    const refusal = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
    response.writeHead(status).end(status === 403 ? refusal : '');
  });
  const client = new S3Client({ ...awsClient, ...awsConfig(`http://127.0.0.1:${await startServer(server)}`) });
  return { put: filePutter('the-bucket', client), requests };
}

describe('an upload of a file', () => {
  it('is sent with its content, and keeps its type and how long it may be cached', async () => {
    const { put, requests } = await answering(200);
    await put(file);
    expect(requests).toMatchObject([
      {
        method: 'PUT',
        url: expect.stringMatching(/^\/the-bucket\/logos\/prc_1\/abc\.png(\?|$)/) as string,
        body: 'an image',
        headers: { 'content-type': 'image/png', 'cache-control': file.cacheControl },
      },
    ]);
  });

  it('is repeated while S3 does not answer, and fails if S3 refuses it', async () => {
    const { put, requests } = await answering(500, 503, 200, 403);
    await put(file);
    expect(requests).toHaveLength(3);
    await expect(put(file)).rejects.toMatchObject({ name: 'AccessDenied', message: 'Access Denied' });
    expect(requests).toHaveLength(4);
  });
});
