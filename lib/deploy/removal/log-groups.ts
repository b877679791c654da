import {
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
  type CloudWatchLogsClient,
} from '@aws-sdk/client-cloudwatch-logs';
import type { Kind } from './kinds.ts';

export function logGroups(client: CloudWatchLogsClient): Kind {
  return {
    plural: 'log groups',
    async exists(id) {
      const { logGroups: found = [] } = await client.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: id }));
      return found.some(({ logGroupName }) => logGroupName === id);
    },
    async remove(id) {
      await client.send(new DeleteLogGroupCommand({ logGroupName: id }));
    },
  };
}
