import { randomBytes } from 'node:crypto';
import { practiceSessionRoutes } from '../contract/sessions/session.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { erasePatient } from '../sessions/erase-patient.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode, randomBytes };

export const handler = practiceRoute(tools, practiceSessionRoutes.erasePatient, (caller, { params }, { now }) =>
  erasePatient(tools, { ...caller, ...params }, now),
);
