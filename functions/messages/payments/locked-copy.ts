import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { day } from '../../domain/time.ts';

/** Puts a test file into the archive, locked for a day. Returns a function that deletes it, which S3 should refuse. */
export async function putLockedCopy(client: S3Client, bucket: string, now: number): Promise<() => Promise<unknown>> {
  const file = { Bucket: bucket, Key: 'locked-for-a-day' };
  const { VersionId } = await client.send(
    new PutObjectCommand({
      ...file,
      Body: '',
      ObjectLockMode: 'GOVERNANCE',
      ObjectLockRetainUntilDate: new Date(now + day),
      ChecksumAlgorithm: 'SHA256',
    }),
  );
  // Hides the file. The bucket's rule deletes hidden versions once they are no longer locked.
  await client.send(new DeleteObjectCommand(file));
  return () => client.send(new DeleteObjectCommand({ ...file, VersionId }));
}
