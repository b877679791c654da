import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CreateBucketCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { assetPath } from './functions.ts';
import { inert, text } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';

export const bucketProperties = z.strictObject({
  PublicAccessBlockConfiguration: inert('only the local distribution reads it'),
  BucketEncryption: inert('a laptop encrypts its own disk'),
  VersioningConfiguration: inert('the newest version is all that is served'),
  LifecycleConfiguration: inert('nothing lies here long enough'),
  ObjectLockEnabled: inert('fauxqs has no Object Lock; a test of the template holds it'),
  ObjectLockConfiguration: inert('see ObjectLockEnabled'),
});

export const bucketDeploymentProperties = z.strictObject({
  ServiceToken: z.string(),
  SourceObjectKeys: z.array(z.string()),
  SourceMarkers: z.array(z.record(z.string(), z.string())).optional(),
  DestinationBucketName: z.string(),
  DestinationBucketKeyPrefix: text,
  SystemMetadata: z.strictObject({ 'cache-control': z.string() }).optional(),
  Prune: z.literal(false),
  SourceBucketNames: inert('assets are read from the cloud assembly'),
  WaitForDistributionInvalidation: inert('nothing is cached'),
  OutputObjectKeys: inert('nobody reads them'),
});

type Deployment = Resource<z.output<typeof bucketDeploymentProperties>>;

/** Does what `aws s3 sync` does in a real deployment. */
const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.txt': 'text/plain',
};

interface Contents {
  readonly buckets: readonly Resource<unknown>[];
  readonly deployments: readonly Deployment[];
}

export async function deployBuckets(
  client: S3Client,
  { buckets, deployments }: Contents,
  assetDirectory: string,
): Promise<void> {
  for (const { name } of buckets) await client.send(new CreateBucketCommand({ Bucket: name }));
  for (const { properties } of deployments) await deploy(client, properties, assetDirectory);
}

async function deploy(client: S3Client, properties: Deployment['properties'], assetDirectory: string): Promise<void> {
  const { DestinationBucketName: Bucket, SystemMetadata } = properties;
  const prefix = properties.DestinationBucketKeyPrefix?.replace(/\/?$/, '/') ?? '';
  for (const [index, objectKey] of properties.SourceObjectKeys.entries()) {
    const source = assetPath(assetDirectory, objectKey);
    const markers = Object.entries(properties.SourceMarkers?.[index] ?? {});
    // `glob` leaves out `.well-known`.
    for (const entry of await readdir(source, { recursive: true })) {
      if (!(await stat(join(source, entry))).isFile()) continue;
      const Key = `${prefix}${entry}`;
      const Body = replaceMarkers(await readFile(join(source, entry)), markers);
      const ContentType = contentTypes[extname(entry)];
      if (ContentType === undefined) throw new SetupError(`${entry}: the local stack does not know its content type.`);
      await client.send(
        new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl: SystemMetadata?.['cache-control'] }),
      );
    }
  }
}

function replaceMarkers(content: Buffer, markers: readonly [string, string][]): Buffer {
  if (markers.length === 0) return content;
  const replaced = markers.reduce(
    (text, [marker, value]) => text.replaceAll(marker, () => value),
    content.toString('utf8'),
  );
  return Buffer.from(replaced);
}
