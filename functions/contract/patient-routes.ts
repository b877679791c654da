import { authorizePaymentBody, bankConnectionBody, sessionView } from './patient-api.ts';
import { noBody, type Route } from './route.ts';

/** The patient API, for the hosted page alone; the bearer token is the one of the patient's link. Every answer is the view. */
export const patientRoutes = {
  getSession: { method: 'GET', path: '/api/patient/session', body: noBody, status: 200, response: sessionView },
  openSession: { method: 'POST', path: '/api/patient/session/open', body: noBody, status: 200, response: sessionView },
  connectBank: {
    method: 'POST',
    path: '/api/patient/session/bank-connection',
    body: bankConnectionBody,
    status: 200,
    response: sessionView,
  },
  authorizePayment: {
    method: 'POST',
    path: '/api/patient/session/payment',
    body: authorizePaymentBody,
    status: 200,
    response: sessionView,
  },
} as const satisfies Record<string, Route>;
