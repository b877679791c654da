import { connectBankRoute } from '../contract/patient-api/connect-bank.ts';
import { tableNames } from '../environment.ts';
import { patientRoute } from '../http/patient-route.ts';
import { connectorOfStage } from '../processors/of-stage.ts';
import { connectBank } from '../sessions/connect-bank.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('sessions', 'practices', 'invoiceClaims')),
  mode: builtForMode,
  processor: connectorOfStage(),
};

export const handler = patientRoute(tools, connectBankRoute, async (caller, { body }, { now }) =>
  connectBank(tools, { ...caller, signIn: body }, now),
);
