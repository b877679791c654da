import { randomBytes } from 'node:crypto';
import { meRoutes } from '../contract/team/dashboard-me.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { signedInRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';
import { acceptInvitation } from '../team/accept-invitation.ts';
import { getMe } from '../team/team.ts';

const tools = { database: connect(tableNames()), dashboardUrl: dashboardUrl(), mode: builtForMode, randomBytes };

export const handler = areaHandler(
  signedInRoute(tools, meRoutes.getMe, ({ session }) => getMe(tools, session)),
  signedInRoute(tools, meRoutes.acceptInvitation, ({ session, author }, { body: { token } }, { now }) =>
    acceptInvitation(tools, { token, user: session, author }, now),
  ),
);
