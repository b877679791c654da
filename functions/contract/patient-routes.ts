import { authorizePaymentRoute } from './payments/authorize-payment.ts';
import { connectBankRoute } from './payments/connect-bank.ts';
import { extendSessionRoute, getSessionRoute, openSessionRoute, requestLinkRoute } from './sessions/patient-session.ts';
import { startBankConnectionRoute } from './payments/start-bank-connection.ts';

export const patientRoutes = {
  getSession: getSessionRoute,
  openSession: openSessionRoute,
  extendSession: extendSessionRoute,
  requestLink: requestLinkRoute,
  connectBank: connectBankRoute,
  authorizePayment: authorizePaymentRoute,
};

/** Production only: the sandbox has no bank picker. */
export const livePatientRoutes = { startBankConnection: startBankConnectionRoute };
