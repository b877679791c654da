import { patientSessionRoutes } from '../contract/sessions/patient-session.ts';
import { tableNames } from '../environment.ts';
import { linkRoute } from '../http/patient-route.ts';
import { requestLink } from '../sessions/links.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()) };

export const handler = linkRoute(tools, patientSessionRoutes.requestLink, async (caller, _request, { now }) => {
  await requestLink(tools, caller, now);
  return { linkRequest: 'made' } as const;
});
