import { randomBytes } from 'node:crypto';
import { acceptInvitationRoute } from '../contract/dashboard-api/accept-invitation.ts';
import { acceptInvitation } from '../team/accept-invitation.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { signedInRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'invitations', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = signedInRoute(
  tools,
  acceptInvitationRoute,
  async ({ session, author }, { body: { token } }, { now }) => ({
    body: await acceptInvitation(tools, { token, user: session, author }, now),
  }),
);
