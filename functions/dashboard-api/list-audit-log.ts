import { listAuditLogRoute } from '../contract/dashboard-api/list-audit-log.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { listAuditLog } from '../store/team/audit-log.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl() };

const pageSize = 50;

export const handler = memberRoute(tools, listAuditLogRoute, async ({ practiceId }, { query: { cursor } }) => {
  const { entries, nextCursor } = await listAuditLog(database, practiceId, { cursor, limit: pageSize });
  return { body: { data: entries, nextCursor } };
});
