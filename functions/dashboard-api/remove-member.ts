import { randomBytes } from 'node:crypto';
import { removeMemberRoute } from '../contract/dashboard-api/remove-member.ts';
import { removeMember } from '../team/members.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'invitations', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  removeMemberRoute,
  async ({ practiceId, author }, { params: { userId } }, { now }) => ({
    body: await removeMember(tools, { practiceId, userId, author }, now),
  }),
);
