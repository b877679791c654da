import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { patientRoutes } from '../functions/contract/patient-routes.ts';
import type { Route } from '../functions/contract/route.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { serviceFunction } from './service-function.ts';

interface PatientApiProps {
  readonly bundles: string;
  readonly data: Data;
  readonly api: PaymentApi;
}

export class PatientApi extends Construct {
  constructor(scope: Construct, id: string, { bundles, data, api }: PatientApiProps) {
    super(scope, id);

    /** Every route returns the view, which reads these tables. */
    const route = (name: string, file: string, declared: Route): Function => {
      const handler = serviceFunction(this, name, { bundles, file: `patient-api/${file}` });
      api.addRoute(name, declared, handler);
      data.grant(handler, 'sessions', 'GetItem');
      data.grant(handler, 'practices', 'GetItem');
      data.grant(handler, 'invoiceClaims', 'GetItem');
      return handler;
    };

    route('GetSession', 'get-session', patientRoutes.getSession);

    const openSession = route('OpenSession', 'open-session', patientRoutes.openSession);
    data.grant(openSession, 'sessions', 'UpdateItem');

    const connectBank = route('ConnectBank', 'connect-bank', patientRoutes.connectBank);
    data.grant(connectBank, 'sessions', 'UpdateItem');

    const authorizePayment = route('AuthorizePayment', 'authorize-payment', patientRoutes.authorizePayment);
    data.grant(authorizePayment, 'sessions', 'UpdateItem');
    data.grant(authorizePayment, 'events', 'PutItem');
    data.grant(authorizePayment, 'invoiceClaims', 'PutItem');
    data.grant(authorizePayment, 'authorizations', 'PutItem');
  }
}
