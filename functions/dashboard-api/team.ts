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
  database: connect(tableNames()),
  dashboardUrl: dashboardUrl(),
  randomBytes,
  userPool: poolId === undefined ? undefined : userPool(poolId),
  sendMail: from === undefined ? undefined : mailSender(from),
};

const entriesPerPage = 50;

export const handler = areaHandler(
  memberRoute(tools, teamRoutes.getTeam, (caller, _request, { now }) => getTeam(tools, caller, now)),
  memberRoute(tools, teamRoutes.changeMailTopics, (caller, { body: { mailTopics } }, { now }) =>
    changeMailTopics(tools, { ...caller, mailTopics }, now),
  ),
  memberRoute(tools, teamRoutes.inviteMember, ({ practiceId, author }, { body: { email, role } }, { now }) =>
    inviteMember(tools, { practiceId, author, email, role }, now),
  ),
  memberRoute(tools, teamRoutes.revokeInvitation, ({ author }, { params }, { now }) =>
    revokeInvitation(tools, { ...params, author }, now),
  ),
  memberRoute(tools, teamRoutes.changeMember, ({ author }, { params, body: { role } }, { now }) =>
    changeRole(tools, { ...params, author, role }, now),
  ),
  memberRoute(tools, teamRoutes.removeMember, ({ author }, { params }, { now }) =>
    removeMember(tools, { ...params, author }, now),
  ),
  memberRoute(tools, teamRoutes.listAuditLog, async ({ practiceId }, { query: { cursor } }) => {
    const page = { cursor, limit: entriesPerPage };
    const { entries, nextCursor } = await listAuditLog(tools.database, practiceId, page);
    return { data: entries, nextCursor };
  }),
);
