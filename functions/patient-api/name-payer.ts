import { patientPaymentRoutes } from '../contract/payments/patient-payment.ts';
import { tableNames } from '../environment.ts';
import { patientRoute } from '../http/patient-route.ts';
import { namePayer } from '../sessions/authorize.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = patientRoute(
  tools,
  patientPaymentRoutes.namePayer,
  async (caller, { body: { payerName } }, { now }) => namePayer(tools, { ...caller, payerName }, now),
);
