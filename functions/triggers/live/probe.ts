import { healthRoute } from '../../contract/unlisted-routes.ts';
import { patientSessionRoutes } from '../../contract/sessions/patient-session.ts';
import { apiUrl, dashboardUrl, hostedPageUrl } from '../../environment.ts';
import { logsItsFaults } from '../../log.ts';
import { probe, type Place } from '../../sweep/probe.ts';

const dashboard = dashboardUrl();
const page = hostedPageUrl();
const places: readonly Place[] = [
  { name: 'page', url: `${page}/`, status: 200 },
  // No link has this token: only the API itself answers 404.
  { name: 'patient_api', url: `${page}${patientSessionRoutes.getSession.path}`, status: 404 },
  { name: 'api', url: `${apiUrl()}${healthRoute.path}`, status: 200 },
  { name: 'dashboard', url: `${dashboard}/`, status: 200 },
  { name: 'docs', url: `${dashboard}/docs/`, status: 200 },
];

export const handler = logsItsFaults(() => probe(places, Date.now()));
