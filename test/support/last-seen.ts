import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { sha256 } from '../../functions/domain/identifier.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { getDashboardSession } from '../../functions/store/team/dashboard-sessions.ts';
import type { DashboardUser } from './dashboard-user.ts';
import type { TestDatabase } from './tables.ts';

/** As if the user had been away for a few minutes. Returns a function that tells when the user was last seen. */
export async function lastSeenBefore(
  database: TestDatabase,
  { cookie }: DashboardUser,
): Promise<() => Promise<string | undefined>> {
  const dashboardSessionId = sha256(cookie.slice('dashboard='.length));
  await database.documents.send(
    new UpdateCommand({
      TableName: database.tables.dashboardSessions,
      Key: { dashboardSessionId },
      UpdateExpression: 'SET lastSeenAt = :before',
      ConditionExpression: 'attribute_exists(lastSeenAt)',
      ExpressionAttributeValues: { ':before': toIso(Date.now() - 6 * minute) },
    }),
  );
  return async () => (await getDashboardSession(database, dashboardSessionId))?.lastSeenAt;
}
