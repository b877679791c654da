import { randomBytes } from 'node:crypto';
import { erasePatientRoute } from '../contract/dashboard-api/erase-patient.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { erasePatient } from '../sessions/erase-patient.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'sessions', 'events', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
  randomBytes,
};

export const handler = memberRoute(
  tools,
  erasePatientRoute,
  async ({ practiceId, author }, { params: { sessionId } }, { now }) => ({
    body: await erasePatient(tools, { practiceId, sessionId, author }, now),
  }),
);
