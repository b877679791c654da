import { patientSessionRoutes } from '../contract/sessions/patient-session.ts';
import { tableNames } from '../environment.ts';
import { patientRoute } from '../http/patient-route.ts';
import { extendSession } from '../sessions/open.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = patientRoute(tools, patientSessionRoutes.extendSession, async (caller, _request, { now }) =>
  extendSession(tools, caller, now),
);
