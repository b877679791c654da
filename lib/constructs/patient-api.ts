import type { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { livePatientRoutes, mailPatientRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import type { Route } from '../../functions/contract/route.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { allowMail } from './mail.ts';
import { processorTimeout, type StripeAccess } from './processor.ts';
import { serviceFunction } from './service-function.ts';

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

    const area = (
      name: string,
      file: string,
      routes: Readonly<Record<string, Route>>,
      timeout?: Duration,
    ): Function => {
      const handler = serviceFunction(this, name, {
        file: `patient-api/${file}`,
        ...(timeout && { timeout }),
      });
      for (const [id, declared] of Object.entries(routes)) api.addRoute(id, declared, handler);
      data.grant(handler, 'sessions', 'GetItem');
      data.grant(handler, 'practices', 'GetItem');
      return handler;
    };
    /** What every route reads to show the view. */
    const allowViewing = (handler: Function): Function => {
      data.grant(handler, 'invoiceClaims', 'GetItem');
      data.grant(handler, 'authorizations', 'GetItem');
      return handler;
    };

    allowViewing(area('GetSession', 'get-session', { GetSession: patientRoutes.getSession }));

    const changes = allowViewing(
      area('SessionChanges', 'session-changes', {
        OpenSession: patientRoutes.openSession,
        ExtendSession: patientRoutes.extendSession,
        NamePayer: patientRoutes.namePayer,
        RequestLink: patientRoutes.requestLink,
      }),
    );
    data.grant(changes, 'sessions', 'UpdateItem');
    data.grant(changes, 'events', 'PutItem');

    const connectBank = allowViewing(
      area('ConnectBank', 'connect-bank', { ConnectBank: patientRoutes.connectBank }, stripe && processorTimeout),
    );
    data.grant(connectBank, 'sessions', 'UpdateItem');
    stripe?.allowUsingAccounts(connectBank);
    if (stripe) {
      const start = area(
        'StartBankConnection',
        'live/start-bank-connection',
        { StartBankConnection: livePatientRoutes.startBankConnection },
        processorTimeout,
      );
      data.grant(start, 'sessions', 'UpdateItem');
      stripe.allowUsingAccounts(start);
    }

    this.authorizePayment = allowViewing(
      area('AuthorizePayment', 'authorize-payment', { AuthorizePayment: patientRoutes.authorizePayment }),
    );
    data.grant(this.authorizePayment, 'sessions', 'UpdateItem');
    data.grant(this.authorizePayment, 'events', 'PutItem');
    data.grant(this.authorizePayment, 'invoiceClaims', 'PutItem');
    data.grant(this.authorizePayment, 'authorizations', 'PutItem');

    if (mailFrom !== undefined) {
      const mailCopy = area('MailCopy', 'mail-copy', { MailCopy: mailPatientRoutes.mailCopy });
      data.grant(mailCopy, 'sessions', 'UpdateItem');
      data.grant(mailCopy, 'authorizations', 'GetItem');
      allowMail(mailCopy, mailFrom);
    }
  }
}
