import { randomBytes } from 'node:crypto';
import { erasePatientOfInvoiceRoute, erasePatientRoute } from '../contract/sessions/session.ts';
import { tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { practiceArea } from '../http/practice-route.ts';
import { erasePatient, erasePatientOfInvoice } from '../sessions/erase-patient.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('apiKeys', 'practices', 'rateLimits', 'sessions', 'events', 'auditLog')),
  mode: builtForMode,
  randomBytes,
};

const route = practiceArea(tools);

export const handler = areaHandler(
  route(erasePatientRoute, (caller, { params }, { now }) => erasePatient(tools, { ...caller, ...params }, now)),
  route(erasePatientOfInvoiceRoute, (caller, { body }, { now }) =>
    erasePatientOfInvoice(tools, { ...caller, ...body }, now),
  ),
);
