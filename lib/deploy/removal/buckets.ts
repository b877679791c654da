import {
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetObjectLockConfigurationCommand,
  HeadBucketCommand,
  paginateListBuckets,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Kind } from './kinds.ts';

export function buckets(client: S3Client): Kind {
  return {
    plural: 'buckets',
    exists: (id) => found(client.send(new HeadBucketCommand({ Bucket: id }))),
    async namedAfter(stackName) {
      // CloudFormation shortens the stack's name to 24 characters where a name can have at most 63.
      const Prefix = stackName.slice(0, 24).toLowerCase();
      // A stage can run in two regions.
      const BucketRegion = await client.config.region();
      const named = [];
      for await (const { Buckets = [] } of paginateListBuckets({ client }, { Prefix, BucketRegion }))
        named.push(...Buckets.flatMap(({ Name }) => (Name?.startsWith(Prefix) ? [Name] : [])));
      return named;
    },
    async reasonToKeep(id) {
      if (!(await isLocked(client, id)) || (await isEmpty(client, id))) return undefined;
      return 'the evidence archive: S3 Object Lock keeps its files until their retention ends; delete it yourself then';
    },
    async remove(id) {
      await empty(client, id);
      await client.send(new DeleteBucketCommand({ Bucket: id }));
    },
  };
}

async function isLocked(client: S3Client, Bucket: string): Promise<boolean> {
  try {
    const { ObjectLockConfiguration } = await client.send(new GetObjectLockConfigurationCommand({ Bucket }));
    return ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled';
  } catch (error) {
    if (error instanceof Error && error.name === 'ObjectLockConfigurationNotFoundError') return false;
    throw error;
  }
}

/** For example, the archive of a failed first deploy. */
async function isEmpty(client: S3Client, Bucket: string): Promise<boolean> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(
    new ListObjectVersionsCommand({ Bucket, MaxKeys: 1 }),
  );
  return Versions.length + DeleteMarkers.length === 0;
}

/** Deletes all versions: a bucket with any old version cannot be deleted. */
async function empty(client: S3Client, Bucket: string): Promise<void> {
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
    const objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (objects.length === 0) return;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: objects, Quiet: true } }),
    );
    if (Errors.length > 0) throw new Error(`${Errors.length} files cannot be deleted: ${Errors[0]?.Message}`);
  }
}

const names = ['ResourceNotFoundException', 'NotFoundException', 'NoSuchBucket', 'NotFound'];

/** Whether the resource that `look` requests exists. */
async function found(look: Promise<unknown>): Promise<boolean> {
  return (await unlessMissing(look)) !== undefined;
}

/** Returns the answer, or undefined if AWS says that the resource does not exist. */
export async function unlessMissing<Answer>(look: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  }
}
