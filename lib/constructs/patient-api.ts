import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { livePatientRoutes, mailPatientRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import type { Access, Data } from './data.ts';
import { routesIn, throttles, type PaymentApi } from './http-api.ts';
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

    route('getSession', { throttle: throttles.patientView });

    // One role for functions that change the session and move no money.
    const access = { sessions: ['UpdateItem'] } satisfies Access;
    const throttle = throttles.patientActions;
    const changes = { throttle, identity: functionIdentity(this, 'Changes'), access };
    const rarely = { ...changes, throttle: throttles.rarePatientActions };
    allowOpenEvent(data, route('openSession', changes));
    route('extendSession', changes);
    linkRoute('requestLink', { ...rarely, access: { ...access, events: ['PutItem'] } });

    const callsStripe = { throttle, access, timeout: processorTimeout };
    const connectBank = route('connectBank', stripe ? callsStripe : { throttle, access });
    allowOpenEvent(data, connectBank);
    stripe?.allowUsingAccounts(connectBank);
    if (stripe) {
      const start = linkRoute('startBankConnection', { ...callsStripe, folder: 'live/' });
      allowOpenEvent(data, start);
      stripe.allowUsingAccounts(start);
    }

    route('namePayer', rarely);

    this.authorizePayment = route('authorizePayment', {
      throttle,
      identity: identityOfWriter(this, 'AuthorizePayment'),
      access: { ...access, events: ['PutItem'], invoiceClaims: ['PutItem'], authorizations: ['PutItem'] },
    });

    if (mailFrom !== undefined)
      allowMail(
        linkRoute('mailCopy', {
          throttle: throttles.rarePatientActions,
          access: { ...access, authorizations: ['GetItem'] },
        }),
        mailFrom,
      );
  }
}

/** Needed by whatever counts as the first open. */
function allowOpenEvent(data: Data, handler: Function): void {
  data.grantSubscriptions(handler);
  data.grant(handler, { events: ['PutItem'] });
}
