import { getEvidenceRoute } from '../contract/dashboard-api/get-evidence.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { getCheckedEvidence } from '../payments/evidence.ts';
import { findOwnSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'sessions', 'authorizations'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, getEvidenceRoute, async ({ practiceId }, { params: { sessionId } }) => {
  await findOwnSession(tools, { practiceId, sessionId });
  return { body: await getCheckedEvidence(tools, { sessionId }) };
});
