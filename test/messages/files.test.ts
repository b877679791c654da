import { createServer, type IncomingHttpHeaders } from 'node:http';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeEach, expect, it, describe } from 'vitest';
import { evidenceArchive } from '../../functions/messages/payments/evidence-archive.ts';
import { awsConfig } from '../support/answered-client.ts';
import { anEvidence, aSession } from '../support/examples.ts';
import { startServer } from '../support/server.ts';
import { text } from 'node:stream/consumers';
import { awsClient } from '../../functions/aws-client.ts';
import { filePutter } from '../../functions/messages/practices/page-files.ts';

let status = 200;
let asked: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[] = [];
const server = createServer(({ method, url, headers }, response) => {
  asked.push({ method, url, headers });
  response.writeHead(status).end();
});
const endpoint = `http://127.0.0.1:${await startServer(server, afterAll)}`;
const client = new S3Client({ ...awsConfig(endpoint), forcePathStyle: true, maxAttempts: 1 });
const archive = evidenceArchive('bucket', client);

beforeEach(() => {
  status = 200;
  asked = [];
});

const evidence = anEvidence(aSession({ practiceId: 'prc_1', sessionId: 'ses_1' }));

it('a copy of the evidence is written with a checksum, and only if there is none', async () => {
  await archive.put(evidence);
  expect(asked).toEqual([
    {
      method: 'PUT',
      url: '/bucket/evidence/prc_1/ses_1.json?x-id=PutObject',
      headers: expect.objectContaining({ 'if-none-match': '*', 'x-amz-checksum-sha256': expect.any(String) as string }),
    },
  ]);
});

it('an existing copy is not a failure', async () => {
  status = 412;
  await archive.put(evidence);
  expect(asked).toHaveLength(1);
});

it.each([403, 409, 500, 503])('a copy that S3 answers with %i is a failure', async (answer) => {
  status = answer;
  await expect(archive.put(evidence)).rejects.toThrow();
});

it.each([
  [200, true],
  [404, false],
])('S3 answers %i: a copy exists is %s', async (answer, exists) => {
  status = answer;
  expect(await archive.has(evidence)).toBe(exists);
});

it('a look-up that S3 refuses is a failure, not a gap', async () => {
  status = 403;
  await expect(archive.has(evidence)).rejects.toThrow();
});

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
