import { authorizePaymentRoute } from './payments/authorize-payment.ts';
import { mailCopyRoute } from './sessions/mail-copy.ts';
import { connectBankRoute } from './payments/connect-bank.ts';
import { namePayerRoute } from './payments/name-payer.ts';
import { extendSessionRoute, getSessionRoute, openSessionRoute, requestLinkRoute } from './sessions/patient-session.ts';
import { startBankConnectionRoute } from './payments/start-bank-connection.ts';

export const patientRoutes = {
  getSession: getSessionRoute,
  openSession: openSessionRoute,
  extendSession: extendSessionRoute,
  requestLink: requestLinkRoute,
  connectBank: connectBankRoute,
  namePayer: namePayerRoute,
  authorizePayment: authorizePaymentRoute,
};

/** Only in a stack with `mailFrom`. */
export const mailPatientRoutes = { mailCopy: mailCopyRoute };

/** Production only: the sandbox has no bank picker. */
export const livePatientRoutes = { startBankConnection: startBankConnectionRoute };
