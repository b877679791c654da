import { authorizePaymentRoute } from './patient-api/authorize-payment.ts';
import { connectBankRoute } from './patient-api/connect-bank.ts';
import { getSessionRoute } from './patient-api/get-session.ts';
import { openSessionRoute } from './patient-api/open-session.ts';

/** The patient API by operation, for the hosted page only. The bearer token is the one in the patient's link. */
export const patientRoutes = {
  getSession: getSessionRoute,
  openSession: openSessionRoute,
  connectBank: connectBankRoute,
  authorizePayment: authorizePaymentRoute,
};
