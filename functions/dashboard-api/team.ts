import { randomBytes } from 'node:crypto';
import { teamRoutes } from '../contract/team/dashboard-team.ts';
import { dashboardUrl, mailFrom, tableNames, userPoolId } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { mailSender } from '../messages/team/mail.ts';
import { userPool } from '../messages/team/user-pool.ts';
import { connect } from '../store/database.ts';
import { listAuditLog } from '../store/team/audit-log.ts';
import { inviteMember, revokeInvitation } from '../team/invitations.ts';
import { changeMailTopics, changeRole, removeMember } from '../team/members.ts';
import { getTeam } from '../team/team.ts';

const [from, poolId] = [mailFrom(), userPoolId()];
const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'invitations', 'practices', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  randomBytes,
  userPool: poolId === undefined ? undefined : userPool(poolId),
  sendMail: from === undefined ? undefined : mailSender(from),
};

const entriesPerPage = 50;

export const handler = areaHandler(
  memberRoute(tools, teamRoutes.getTeam, async ({ practiceId, userId }, _request, { now }) => ({
    body: await getTeam(tools, { practiceId, userId }, now),
  })),
  memberRoute(
    tools,
    teamRoutes.changeMailTopics,
    async ({ practiceId, userId, author }, { body: { mailTopics } }, { now }) => ({
      body: await changeMailTopics(tools, { practiceId, userId, author, mailTopics }, now),
    }),
  ),
  memberRoute(tools, teamRoutes.inviteMember, async ({ practiceId, author }, { body: { email, role } }, { now }) => ({
    body: await inviteMember(tools, { practiceId, author, email, role }, now),
  })),
  memberRoute(
    tools,
    teamRoutes.revokeInvitation,
    async ({ practiceId, author }, { params: { invitationId } }, { now }) => ({
      body: await revokeInvitation(tools, { practiceId, author, invitationId }, now),
    }),
  ),
  memberRoute(
    tools,
    teamRoutes.changeMember,
    async ({ practiceId, author }, { params: { userId }, body: { role } }, { now }) => ({
      body: await changeRole(tools, { practiceId, userId, author, role }, now),
    }),
  ),
  memberRoute(tools, teamRoutes.removeMember, async ({ practiceId, author }, { params: { userId } }, { now }) => ({
    body: await removeMember(tools, { practiceId, userId, author }, now),
  })),
  memberRoute(tools, teamRoutes.listAuditLog, async ({ practiceId }, { query: { cursor } }) => {
    const page = { cursor, limit: entriesPerPage };
    const { entries, nextCursor } = await listAuditLog(tools.database, practiceId, page);
    return { body: { data: entries, nextCursor } };
  }),
);
