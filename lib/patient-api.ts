import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { settingVariables } from '../functions/contract/environment.ts';
import { patientRoutes } from '../functions/contract/patient-routes.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { serviceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

interface PatientApiProps {
  readonly bundles: string;
  readonly stage: Stage;
  readonly data: Data;
  readonly api: PaymentApi;
}

/** What the hosted page calls. */
export class PatientApi extends Construct {
  constructor(scope: Construct, id: string, { bundles, stage, data, api }: PatientApiProps) {
    super(scope, id);

    /** Every one of them answers with the session's view, which takes these three tables. */
    const endpoint = (
      name: string,
      file: string,
      route: (typeof patientRoutes)[keyof typeof patientRoutes],
    ): Function => {
      const handler = serviceFunction(this, name, {
        bundles,
        file,
        environment: { [settingVariables.mode]: stage.mode },
      });
      api.addRoute(name, route, handler);
      data.grant(handler, 'sessions', 'GetItem');
      data.grant(handler, 'practices', 'GetItem');
      data.grant(handler, 'invoiceClaims', 'GetItem');
      return handler;
    };

    endpoint('GetSession', 'get-session', patientRoutes.getSession);

    const openSession = endpoint('OpenSession', 'open-session', patientRoutes.openSession);
    data.grant(openSession, 'sessions', 'UpdateItem');

    const connectBank = endpoint('ConnectBank', 'connect-bank', patientRoutes.connectBank);
    data.grant(connectBank, 'sessions', 'UpdateItem');

    const authorizePayment = endpoint('AuthorizePayment', 'authorize-payment', patientRoutes.authorizePayment);
    data.grant(authorizePayment, 'sessions', 'UpdateItem');
    data.grant(authorizePayment, 'events', 'PutItem');
    data.grant(authorizePayment, 'invoiceClaims', 'PutItem');
    data.grant(authorizePayment, 'authorizations', 'PutItem');
  }
}
