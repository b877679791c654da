import { patientPaymentRoutes } from '../contract/payments/patient-payment.ts';
import { tableNames } from '../environment.ts';
import { patientRoute } from '../http/patient-route.ts';
import { viewerAddressOf } from '../http/request.ts';
import { authorizePayment } from '../sessions/authorize.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, mode: builtForMode };

export const handler = patientRoute(
  tools,
  patientPaymentRoutes.authorizePayment,
  async (caller, { body: { authorizationId }, headers }, { now, source }) =>
    authorizePayment(
      tools,
      { ...caller, authorizationId, source: { ...source, viewerAddress: viewerAddressOf(headers) } },
      now,
    ),
);
