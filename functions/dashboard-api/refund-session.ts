import { randomBytes } from 'node:crypto';
import { sessionRoutes } from '../contract/sessions/dashboard-sessions.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { refunderOfStage } from '../processors/of-stage.ts';
import { auditedBy } from '../sessions/audit.ts';
import { findOwnSession } from '../sessions/find.ts';
import { refundSession } from '../sessions/refund.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, dashboardUrl: dashboardUrl(), processor: refunderOfStage(database), randomBytes };

export const handler = areaHandler(
  memberRoute(tools, sessionRoutes.refundSession, async ({ practiceId, author }, { params, body }, { now }) => {
    const audited = { ...tools, ...auditedBy(tools, { practiceId, author }, now) };
    return refundSession(audited, await findOwnSession(tools, params), body, now);
  }),
);
