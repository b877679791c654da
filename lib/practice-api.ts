import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { settingVariables } from '../functions/contract/environment.ts';
import type { PracticeRoute } from '../functions/contract/practice-api/practice-route.ts';
import { practiceRoutes } from '../functions/contract/practice-routes.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { processorTimeout, type Processor } from './processor.ts';
import { serviceFunction } from './service-function.ts';

interface PracticeApiProps {
  readonly bundles: string;
  readonly processor: Processor;
  readonly data: Data;
  readonly api: PaymentApi;
  readonly hostedPageUrl: string;
}

export class PracticeApi extends Construct {
  constructor(scope: Construct, id: string, { bundles, processor, data, api, hostedPageUrl }: PracticeApiProps) {
    super(scope, id);
    const route = (
      name: string,
      file: string,
      declared: PracticeRoute,
      options: Pick<Parameters<typeof serviceFunction>[2], 'environment' | 'timeout'> = {},
    ): Function => {
      const handler = serviceFunction(this, name, { bundles, file: `practice-api/${file}`, ...options });
      api.addRoute(name, declared, handler);
      data.grant(handler, 'apiKeys', 'GetItem', 'UpdateItem');
      return handler;
    };

    const createSession = route('CreateSession', 'create-session', practiceRoutes.createSession, {
      environment: { [settingVariables.hostedPageUrl]: hostedPageUrl },
    });
    data.grant(createSession, 'practices', 'GetItem');
    data.grant(createSession, 'sessions', 'GetItem', 'PutItem');
    data.grant(createSession, 'invoiceClaims', 'GetItem');
    data.grant(createSession, 'idempotencyKeys', 'PutItem');

    const getSessionStatus = route('GetSessionStatus', 'get-session-status', practiceRoutes.getSessionStatus);
    for (const table of ['sessions', 'practices', 'invoiceClaims'] as const)
      data.grant(getSessionStatus, table, 'GetItem');

    const listSessions = route('ListSessions', 'list-sessions', practiceRoutes.listSessions);
    const listIndexes = [
      'Query:byPractice',
      'Query:byPracticeStatus',
      'Query:byInvoice',
      'Query:byPracticeReturned',
    ] as const;
    data.grant(listSessions, 'sessions', ...listIndexes, 'BatchGetItem');
    data.grant(listSessions, 'practices', 'GetItem');
    data.grant(listSessions, 'invoiceClaims', 'BatchGetItem');

    const listEvents = route('ListEvents', 'list-events', practiceRoutes.listEvents);
    data.grant(listEvents, 'sessions', 'GetItem');
    data.grant(listEvents, 'events', 'Query:byPractice', 'BatchGetItem');

    const cancelSession = route('CancelSession', 'cancel-session', practiceRoutes.cancelSession, {
      timeout: processorTimeout,
    });
    data.grant(cancelSession, 'sessions', 'GetItem', 'UpdateItem');
    data.grant(cancelSession, 'events', 'PutItem');
    data.grant(cancelSession, 'invoiceClaims', 'DeleteItem');
    processor.allowVoiding(cancelSession);

    api.addDefaultRoute(
      'DefaultRoute',
      serviceFunction(this, 'DefaultRoute', { bundles, file: 'practice-api/default-route' }),
    );
  }
}
