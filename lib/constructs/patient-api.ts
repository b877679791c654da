import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { livePatientRoutes, mailPatientRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import type { Access, Data } from './data.ts';
import { routesIn, type PaymentApi } from './http-api.ts';
import { allowMail } from './mail.ts';
import { processorTimeout, type StripeAccess } from './processor.ts';
import { functionIdentity, identityOfWriter } from './service-function.ts';

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

    const reads: Access = { sessions: ['GetItem'], practices: ['GetItem'] };
    const routes = { data, api, entries: 'patient-api', reads };
    const linkRoute = routesIn(this, routes, { ...patientRoutes, ...livePatientRoutes, ...mailPatientRoutes });
    const view: Access = { ...reads, invoiceClaims: ['GetItem'], authorizations: ['GetItem'] };
    const route = routesIn(this, { ...routes, reads: view }, patientRoutes);

    route('getSession');

    // One role for what changes the session and moves no money.
    const access = { sessions: ['UpdateItem'] } satisfies Access;
    const changes = { identity: functionIdentity(this, 'Changes'), access };
    allowOpenEvent(data, route('openSession', changes));
    route('extendSession', changes);
    linkRoute('requestLink', { ...changes, access: { ...access, events: ['PutItem'] } });

    const callsStripe = { access, timeout: processorTimeout };
    const connectBank = route('connectBank', stripe ? callsStripe : { access });
    allowOpenEvent(data, connectBank);
    stripe?.allowUsingAccounts(connectBank);
    if (stripe) {
      const start = linkRoute('startBankConnection', { ...callsStripe, folder: 'live/' });
      allowOpenEvent(data, start);
      stripe.allowUsingAccounts(start);
    }

    route('namePayer', changes);

    this.authorizePayment = route('authorizePayment', {
      identity: identityOfWriter(this, 'AuthorizePayment'),
      access: { ...access, events: ['PutItem'], invoiceClaims: ['PutItem'], authorizations: ['PutItem'] },
    });

    if (mailFrom !== undefined)
      allowMail(linkRoute('mailCopy', { access: { ...access, authorizations: ['GetItem'] } }), mailFrom);
  }
}

/** For whatever counts as the first open. */
function allowOpenEvent(data: Data, handler: Function): void {
  data.grantSubscriptions(handler);
  data.grant(handler, { events: ['PutItem'] });
}
