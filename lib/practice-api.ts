import { Construct } from 'constructs';
import { settingVariables } from '../functions/contract/environment.ts';
import { practiceRoutes } from '../functions/contract/practice-routes.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { serviceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

interface PracticeApiProps {
  readonly bundles: string;
  readonly stage: Stage;
  readonly data: Data;
  readonly api: PaymentApi;
  /** Where patients' links lead, without a path. */
  readonly hostedPageUrl: string;
}

/** What practices' backends call. */
export class PracticeApi extends Construct {
  constructor(scope: Construct, id: string, { bundles, stage, data, api, hostedPageUrl }: PracticeApiProps) {
    super(scope, id);
    const environment = { [settingVariables.mode]: stage.mode };

    const createSession = serviceFunction(this, 'CreateSession', {
      bundles,
      file: 'create-session',
      environment: { ...environment, [settingVariables.hostedPageUrl]: hostedPageUrl },
    });
    api.addRoute('CreateSession', practiceRoutes.createSession, createSession);
    data.grant(createSession, 'apiKeys', 'GetItem', 'UpdateItem');
    data.grant(createSession, 'practices', 'GetItem');
    data.grant(createSession, 'sessions', 'PutItem');
    data.grant(createSession, 'idempotencyKeys', 'PutItem');

    const getSessionStatus = serviceFunction(this, 'GetSessionStatus', {
      bundles,
      file: 'get-session-status',
      environment,
    });
    api.addRoute('GetSessionStatus', practiceRoutes.getSessionStatus, getSessionStatus);
    data.grant(getSessionStatus, 'apiKeys', 'GetItem', 'UpdateItem');
    data.grant(getSessionStatus, 'sessions', 'GetItem');

    const listSessions = serviceFunction(this, 'ListSessions', { bundles, file: 'list-sessions', environment });
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

    const cancelSession = serviceFunction(this, 'CancelSession', {
      bundles,
      file: 'cancel-session',
      environment: {
        ...environment,
        [settingVariables.sandboxOutcomeDelay]: String(stage.sandboxOutcomeDelayMilliseconds),
      },
    });
    api.addRoute('CancelSession', practiceRoutes.cancelSession, cancelSession);
    data.grant(cancelSession, 'apiKeys', 'GetItem', 'UpdateItem');
    data.grant(cancelSession, 'sessions', 'GetItem', 'UpdateItem');
    data.grant(cancelSession, 'events', 'PutItem');
    data.grant(cancelSession, 'invoiceClaims', 'DeleteItem');
    data.grant(cancelSession, 'sandboxDebits', 'GetItem', 'PutItem', 'UpdateItem');

    api.addDefaultRoute('RouteNotFound', serviceFunction(this, 'RouteNotFound', { bundles, file: 'route-not-found' }));
  }
}
