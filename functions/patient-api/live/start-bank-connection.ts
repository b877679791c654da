import { bankPickerRoutes } from '../../contract/payments/patient-payment.ts';
import { tableNames } from '../../environment.ts';
import { linkRoute } from '../../http/patient-route.ts';
import { starterOfStage } from '../../processors/of-stage.ts';
import { startBankConnection } from '../../sessions/connect-bank.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames());
const tools = { database, processor: starterOfStage() };

export const handler = linkRoute(tools, bankPickerRoutes.startBankConnection, (caller, _request, { now }) =>
  startBankConnection(tools, caller, now),
);
