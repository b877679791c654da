import { randomBytes } from 'node:crypto';
import { inviteMemberRoute } from '../contract/dashboard-api/invite-member.ts';
import { inviteMember } from '../team/invitations.ts';
import { dashboardUrl, mailFrom, tableNames, userPoolId } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { mailSender } from '../messages/team/mail.ts';
import { userPool } from '../messages/team/user-pool.ts';
import { connect } from '../store/database.ts';

const [from, poolId] = [mailFrom(), userPoolId()];
const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'invitations', 'auditLog', 'practices')),
  dashboardUrl: dashboardUrl(),
  randomBytes,
  userPool: poolId === undefined ? undefined : userPool(poolId),
  sendMail: from === undefined ? undefined : mailSender(from),
};

export const handler = memberRoute(
  tools,
  inviteMemberRoute,
  async ({ practiceId, author }, { body: { email, role } }, { now }) => ({
    body: await inviteMember(tools, { practiceId, author, email, role }, now),
  }),
);
