import { Construct } from 'constructs';
import { settingVariables } from '../functions/contract/environment.ts';
import { practiceRoutes } from '../functions/contract/practice-routes.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import type { SandboxBank } from './sandbox-bank.ts';
import { serviceFunction } from './service-function.ts';

interface PracticeApiProps {
  readonly bundles: string;
  readonly bank: SandboxBank | undefined;
  readonly data: Data;
  readonly api: PaymentApi;
  readonly hostedPageUrl: string;
}

/** The API that practices' backends call. */
export class PracticeApi extends Construct {
  constructor(scope: Construct, id: string, { bundles, bank, data, api, hostedPageUrl }: PracticeApiProps) {
    super(scope, id);
    const createSession = serviceFunction(this, 'CreateSession', {
      bundles,
      file: 'create-session',
      environment: { [settingVariables.hostedPageUrl]: hostedPageUrl },
    });
    api.addRoute('CreateSession', practiceRoutes.createSession, createSession);
    data.grant(createSession, 'apiKeys', 'GetItem', 'UpdateItem');
    data.grant(createSession, 'practices', 'GetItem');
    data.grant(createSession, 'sessions', 'PutItem');
    data.grant(createSession, 'idempotencyKeys', 'PutItem');

    const getSessionStatus = serviceFunction(this, 'GetSessionStatus', { bundles, file: 'get-session-status' });
    api.addRoute('GetSessionStatus', practiceRoutes.getSessionStatus, getSessionStatus);
    data.grant(getSessionStatus, 'apiKeys', 'GetItem', 'UpdateItem');
    data.grant(getSessionStatus, 'sessions', 'GetItem');

    const listSessions = serviceFunction(this, 'ListSessions', { bundles, file: 'list-sessions' });
    api.addRoute('ListSessions', practiceRoutes.listSessions, listSessions);
    data.grant(listSessions, 'apiKeys', 'GetItem', 'UpdateItem');
    data.grant(
      listSessions,
      'sessions',
      'Query:byPractice',
      'Query:byPracticeStatus',
      'Query:byInvoice',
      'BatchGetItem',
    );

    const cancelSession = serviceFunction(this, 'CancelSession', { bundles, file: 'cancel-session' });
    api.addRoute('CancelSession', practiceRoutes.cancelSession, cancelSession);
    data.grant(cancelSession, 'apiKeys', 'GetItem', 'UpdateItem');
    data.grant(cancelSession, 'sessions', 'GetItem', 'UpdateItem');
    data.grant(cancelSession, 'events', 'PutItem');
    data.grant(cancelSession, 'invoiceClaims', 'DeleteItem');
    bank?.allowVoiding(cancelSession);

    api.addDefaultRoute('RouteNotFound', serviceFunction(this, 'RouteNotFound', { bundles, file: 'route-not-found' }));
  }
}
