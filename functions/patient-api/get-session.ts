import { patientRoutes } from '../contract/patient-routes.ts';
import { mode, tableNames } from '../environment.ts';
import { patientEndpoint } from '../http/patient-endpoint.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('sessions', 'practices', 'invoiceClaims'));

/** Shows the session; changes nothing, so that link previews and mail scanners do no harm. */
export const handler = patientEndpoint(database, mode(), patientRoutes.getSession, async ({ session }) => session);
