import { sessionRoutes } from '../contract/sessions/dashboard-sessions.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { getProof } from '../payments/proof.ts';
import { referencesOfStage } from '../processors/of-stage.ts';
import { findOwnSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), dashboardUrl: dashboardUrl(), processor: referencesOfStage() };

export const handler = areaHandler(
  memberRoute(tools, sessionRoutes.getEvidence, async (_caller, { params }) =>
    getProof(tools, await findOwnSession(tools, params)),
  ),
);
