import {
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
  paginateDescribeLogGroups,
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
    async ofFunctions(names) {
      if (names.length === 0) return [];
      const prefix = '/aws/lambda/';
      const wanted = new Set(names.map((name) => `${prefix}${name}`));
      const made = [];
      // Lists all groups: a request for each of over a hundred would be throttled.
      for await (const { logGroups: page = [] } of paginateDescribeLogGroups(
        { client },
        { logGroupNamePrefix: prefix },
      ))
        made.push(...page.flatMap(({ logGroupName = '' }) => (wanted.has(logGroupName) ? [logGroupName] : [])));
      return made;
    },
    async remove(id) {
      await client.send(new DeleteLogGroupCommand({ logGroupName: id }));
    },
  };
}
