import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { livePatientRoutes, mailPatientRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import type { Route } from '../../functions/contract/route.ts';
import type { Access, Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { allowMail } from './mail.ts';
import { processorTimeout, type StripeAccess } from './processor.ts';
import { functionIdentity, identityOfWriter, serviceFunction, type ServiceFunctionProps } from './service-function.ts';

interface PatientApiProps {
  readonly stripe: StripeAccess | undefined;
  readonly data: Data;
  readonly api: PaymentApi;
  readonly mailFrom: string | undefined;
}

interface RouteOptions extends Pick<ServiceFunctionProps, 'identity' | 'timeout'> {
  /** Besides what every route reads. */
  readonly access?: Access;
}

export class PatientApi extends Construct {
  readonly authorizePayment: Function;

  constructor(scope: Construct, id: string, { stripe, data, api, mailFrom }: PatientApiProps) {
    super(scope, id);

    const linkRoute = (
      name: string,
      file: string,
      declared: Route,
      { access = {}, ...options }: RouteOptions = {},
    ): Function => {
      const handler = serviceFunction(this, name, { file: `patient-api/${file}`, ...options });
      api.addRoute(name, declared, handler);
      data.grant(handler, { sessions: ['GetItem'], practices: ['GetItem'] });
      data.grant(handler, access);
      return handler;
    };
    /** What every route reads to show the view. */
    const route = (...given: Parameters<typeof linkRoute>): Function => {
      const handler = linkRoute(...given);
      data.grant(handler, { invoiceClaims: ['GetItem'], authorizations: ['GetItem'] });
      return handler;
    };

    route('GetSession', 'get-session', patientRoutes.getSession);

    // One role for what changes the session and moves no money.
    const access = { sessions: ['UpdateItem'] } satisfies Access;
    const changes = { identity: functionIdentity(this, 'Changes'), access };
    allowOpenEvent(data, route('OpenSession', 'open-session', patientRoutes.openSession, changes));
    route('ExtendSession', 'extend-session', patientRoutes.extendSession, changes);
    linkRoute('RequestLink', 'request-link', patientRoutes.requestLink, {
      ...changes,
      access: { ...access, events: ['PutItem'] },
    });

    const callsStripe = { access, timeout: processorTimeout };
    const connects = stripe ? callsStripe : { access };
    const connectBank = route('ConnectBank', 'connect-bank', patientRoutes.connectBank, connects);
    allowOpenEvent(data, connectBank);
    stripe?.allowUsingAccounts(connectBank);
    if (stripe) {
      const { startBankConnection } = livePatientRoutes;
      const start = linkRoute('StartBankConnection', 'live/start-bank-connection', startBankConnection, callsStripe);
      allowOpenEvent(data, start);
      stripe.allowUsingAccounts(start);
    }

    route('NamePayer', 'name-payer', patientRoutes.namePayer, changes);

    this.authorizePayment = route('AuthorizePayment', 'authorize-payment', patientRoutes.authorizePayment, {
      identity: identityOfWriter(this, 'AuthorizePayment'),
      access: { ...access, events: ['PutItem'], invoiceClaims: ['PutItem'], authorizations: ['PutItem'] },
    });

    if (mailFrom !== undefined) {
      const mailCopy = linkRoute('MailCopy', 'mail-copy', mailPatientRoutes.mailCopy, {
        access: { ...access, authorizations: ['GetItem'] },
      });
      allowMail(mailCopy, mailFrom);
    }
  }
}

/** For whatever counts as the first open. */
function allowOpenEvent(data: Data, handler: Function): void {
  data.grantSubscriptions(handler);
  data.grant(handler, { events: ['PutItem'] });
}
