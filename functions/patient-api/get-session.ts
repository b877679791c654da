import { patientRoutes } from '../contract/patient-routes.ts';
import { mode, tableNames } from '../environment.ts';
import { patientRoute } from '../http/patient-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('sessions', 'practices', 'invoiceClaims'));

/** Shows the session; changes nothing, so that link previews and mail scanners do no harm. */
export const handler = patientRoute(database, mode(), patientRoutes.getSession, async ({ session }) => session);
