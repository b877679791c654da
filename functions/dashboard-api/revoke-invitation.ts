import { randomBytes } from 'node:crypto';
import { revokeInvitationRoute } from '../contract/dashboard-api/revoke-invitation.ts';
import { revokeInvitation } from '../team/invitations.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'invitations', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  revokeInvitationRoute,
  async ({ practiceId, author }, { params: { invitationId } }, { now }) => ({
    body: await revokeInvitation(tools, { practiceId, author, invitationId }, now),
  }),
);
