import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { livePatientRoutes, mailPatientRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import type { Route } from '../../functions/contract/route.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { allowMail } from './mail.ts';
import { processorTimeout, type StripeAccess } from './processor.ts';
import { functionIdentity, identityOfWriter, serviceFunction } from './service-function.ts';

interface PatientApiProps {
  readonly stripe: StripeAccess | undefined;
  readonly data: Data;
  readonly api: PaymentApi;
  readonly mailFrom: string | undefined;
}

export class PatientApi extends Construct {
  readonly authorizePayment: Function;

  constructor(scope: Construct, id: string, { stripe, data, api, mailFrom }: PatientApiProps) {
    super(scope, id);

    const linkRoute = (
      name: string,
      file: string,
      declared: Route,
      options: Pick<Parameters<typeof serviceFunction>[2], 'identity' | 'timeout'> = {},
    ): Function => {
      const handler = serviceFunction(this, name, { file: `patient-api/${file}`, ...options });
      api.addRoute(name, declared, handler);
      data.grant(handler, 'sessions', 'GetItem');
      data.grant(handler, 'practices', 'GetItem');
      return handler;
    };
    /** What every route reads to show the view. */
    const route = (...given: Parameters<typeof linkRoute>): Function => {
      const handler = linkRoute(...given);
      data.grant(handler, 'invoiceClaims', 'GetItem');
      data.grant(handler, 'authorizations', 'GetItem');
      return handler;
    };

    route('GetSession', 'get-session', patientRoutes.getSession);

    // One role for what changes the session and moves no money.
    const changes = { identity: functionIdentity(this, 'Changes') };
    const openSession = route('OpenSession', 'open-session', patientRoutes.openSession, changes);
    data.grant(openSession, 'sessions', 'UpdateItem');
    allowOpenEvent(data, openSession);

    const extendSession = route('ExtendSession', 'extend-session', patientRoutes.extendSession, changes);
    data.grant(extendSession, 'sessions', 'UpdateItem');

    const requestLink = linkRoute('RequestLink', 'request-link', patientRoutes.requestLink, changes);
    data.grant(requestLink, 'sessions', 'UpdateItem');
    data.grant(requestLink, 'events', 'PutItem');

    const callsStripe = { timeout: processorTimeout };
    const connectBank = route('ConnectBank', 'connect-bank', patientRoutes.connectBank, stripe ? callsStripe : {});
    data.grant(connectBank, 'sessions', 'UpdateItem');
    allowOpenEvent(data, connectBank);
    stripe?.allowUsingAccounts(connectBank);
    if (stripe) {
      const { startBankConnection } = livePatientRoutes;
      const start = linkRoute('StartBankConnection', 'live/start-bank-connection', startBankConnection, callsStripe);
      data.grant(start, 'sessions', 'UpdateItem');
      allowOpenEvent(data, start);
      stripe.allowUsingAccounts(start);
    }

    const namePayer = route('NamePayer', 'name-payer', patientRoutes.namePayer, changes);
    data.grant(namePayer, 'sessions', 'UpdateItem');

    this.authorizePayment = route('AuthorizePayment', 'authorize-payment', patientRoutes.authorizePayment, {
      identity: identityOfWriter(this, 'AuthorizePayment'),
    });
    data.grant(this.authorizePayment, 'sessions', 'UpdateItem');
    data.grant(this.authorizePayment, 'events', 'PutItem');
    data.grant(this.authorizePayment, 'invoiceClaims', 'PutItem');
    data.grant(this.authorizePayment, 'authorizations', 'PutItem');

    if (mailFrom !== undefined) {
      const mailCopy = linkRoute('MailCopy', 'mail-copy', mailPatientRoutes.mailCopy);
      data.grant(mailCopy, 'sessions', 'UpdateItem');
      data.grant(mailCopy, 'authorizations', 'GetItem');
      allowMail(mailCopy, mailFrom);
    }
  }
}

/** For whatever counts as the first open. */
function allowOpenEvent(data: Data, handler: Function): void {
  data.grantSubscriptions(handler);
  data.grant(handler, 'events', 'PutItem');
}
