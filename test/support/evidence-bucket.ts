import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll } from 'vitest';
import { startFauxqs } from '../../lib/local/queues.ts';
import { awsConfig } from './answered-client.ts';

/** An empty bucket. Call this at the top level of a test file. */
export async function startEvidenceBucket() {
  const dataDir = await mkdtemp(join(tmpdir(), 'evidence-bucket-'));
  const fauxqs = await startFauxqs(dataDir);
  const client = new S3Client({ ...awsConfig(fauxqs.origin), forcePathStyle: true });
  const bucket = 'evidence-bucket';
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  afterAll(async () => {
    client.destroy();
    await fauxqs.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { client, bucket, ...evidenceIn(client, bucket) };
}

export function evidenceIn(client: S3Client, bucket: string, prefix = '') {
  return {
    keys: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return Contents.map(({ Key }) => Key ?? '');
    },
    read: async (key: string) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return JSON.parse((await Body?.transformToString()) ?? '') as unknown;
    },
  };
}
