import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { awsClient } from '../../aws-client.ts';

interface PageFile {
  /** The file's path on the hosted page's host. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Uploads a file to the hosted page's host. */
export type PutFile = (file: PageFile) => Promise<void>;

export function filePutter(bucket: string, client = new S3Client(awsClient)): PutFile {
  return async ({ key, bytes, contentType, cacheControl }) => {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: bytes,
        ContentType: contentType,
        CacheControl: cacheControl,
      }),
    );
  };
}
