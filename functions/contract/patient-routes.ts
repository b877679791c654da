import { authorizePaymentRoute } from './patient-api/authorize-payment.ts';
import { connectBankRoute } from './patient-api/connect-bank.ts';
import { getSessionRoute } from './patient-api/get-session.ts';
import { openSessionRoute } from './patient-api/open-session.ts';

export const patientRoutes = {
  getSession: getSessionRoute,
  openSession: openSessionRoute,
  connectBank: connectBankRoute,
  authorizePayment: authorizePaymentRoute,
};
