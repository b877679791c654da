import { randomBytes } from 'node:crypto';
import { sessionRoutes } from '../contract/sessions/dashboard-sessions.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { voiderOfStage } from '../processors/of-stage.ts';
import { auditedBy } from '../sessions/audit.ts';
import { cancelSession } from '../sessions/cancel.ts';
import { findOwnSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, dashboardUrl: dashboardUrl(), processor: voiderOfStage(database), randomBytes };

export const handler = areaHandler(
  memberRoute(tools, sessionRoutes.cancelSession, async ({ practiceId, author }, { params }, { now }) => {
    const audited = { ...tools, ...auditedBy(tools, { practiceId, author }, now) };
    return cancelSession(audited, await findOwnSession(tools, params), now);
  }),
);
