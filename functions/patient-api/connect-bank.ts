import * as z from 'zod/mini';
import { patientPaymentRoutes, noSignIn, testSignIn } from '../contract/payments/patient-payment.ts';
import { tableNames } from '../environment.ts';
import { patientRoute } from '../http/patient-route.ts';
import { connectorOfStage } from '../processors/of-stage.ts';
import { connectBank } from '../sessions/connect-bank.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode, processor: connectorOfStage() };

const route = { ...patientPaymentRoutes.connectBank, body: builtForMode === 'sandbox' ? testSignIn : noSignIn };

export const handler = patientRoute(tools, route, async (caller, { body }, { now }) =>
  connectBank(tools, { ...caller, signIn: z.safeParse(testSignIn, body).data }, now),
);
