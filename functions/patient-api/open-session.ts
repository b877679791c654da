import { patientRoutes } from '../contract/patient-routes.ts';
import { mode, tableNames } from '../environment.ts';
import { patientRoute } from '../http/patient-route.ts';
import { connect } from '../store/database.ts';
import { openSession } from '../store/sessions.ts';

const database = connect(tableNames('sessions', 'practices', 'invoiceClaims'));

/** Registers the patient's first open, which the page reports at the first touch, key, pointer or scroll. */
export const handler = patientRoute(
  database,
  mode(),
  patientRoutes.openSession,
  async ({ session, practice }, { now }) => openSession(database, session, practice.sessionLifetimeSeconds, now),
);
