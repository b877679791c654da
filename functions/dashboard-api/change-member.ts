import { randomBytes } from 'node:crypto';
import { changeMemberRoute } from '../contract/dashboard-api/change-member.ts';
import { changeRole } from '../team/members.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'invitations', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  changeMemberRoute,
  async ({ practiceId, author }, { params: { userId }, body: { role } }, { now }) => ({
    body: await changeRole(tools, { practiceId, userId, author, role }, now),
  }),
);
