import { authorizePaymentRoute } from './patient-api/authorize-payment.ts';
import { connectBankRoute } from './patient-api/connect-bank.ts';
import { extendSessionRoute } from './patient-api/extend-session.ts';
import { getSessionRoute } from './patient-api/get-session.ts';
import { openSessionRoute } from './patient-api/open-session.ts';
import { startBankConnectionRoute } from './patient-api/start-bank-connection.ts';

export const patientRoutes = {
  getSession: getSessionRoute,
  openSession: openSessionRoute,
  extendSession: extendSessionRoute,
  connectBank: connectBankRoute,
  authorizePayment: authorizePaymentRoute,
};

/** Production only: the sandbox has no bank picker. */
export const livePatientRoutes = { startBankConnection: startBankConnectionRoute };
