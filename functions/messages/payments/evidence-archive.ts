import { HeadObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { awsClient } from '../../aws-client.ts';
import type { Evidence } from '../../domain/payments/evidence.ts';

type EvidenceKey = Pick<Evidence, 'practiceId' | 'sessionId'>;

export function evidenceArchive(bucket: string, client = new S3Client(awsClient)) {
  return {
    /** Does nothing if the copy exists. */
    async put(evidence: Evidence) {
      try {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: keyOf(evidence),
            Body: JSON.stringify(evidence),
            ContentType: 'application/json',
            IfNoneMatch: '*',
            // Object Lock requires a checksum.
            ChecksumAlgorithm: 'SHA256',
          }),
        );
      } catch (error) {
        if (statusOf(error) !== 412) throw error;
      }
    },

    async has(key: EvidenceKey) {
      try {
        await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(key) }));
        return true;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        throw error;
      }
    },
  };
}

/** Stores evidence where nobody can change or delete it for seven years. */
export type EvidenceArchive = ReturnType<typeof evidenceArchive>;

function keyOf({ practiceId, sessionId }: EvidenceKey): string {
  return `evidence/${practiceId}/${sessionId}.json`;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
