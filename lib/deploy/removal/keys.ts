import { DescribeKeyCommand, ScheduleKeyDeletionCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { Kind } from './kinds.ts';
import { unlessMissing } from './missing.ts';

/** AWS deletes a key only after a waiting period, during which `aws kms cancel-key-deletion` restores it. */
export function keys(client: KMSClient, { waitingDays }: { waitingDays: number }): Kind {
  return {
    plural: `keys (AWS deletes them after ${waitingDays} days)`,
    async exists(id) {
      const answer = await unlessMissing(client.send(new DescribeKeyCommand({ KeyId: id })));
      return answer !== undefined && answer.KeyMetadata?.KeyState !== 'PendingDeletion';
    },
    async remove(id) {
      await client.send(new ScheduleKeyDeletionCommand({ KeyId: id, PendingWindowInDays: waitingDays }));
    },
  };
}
