import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PracticeRoute } from '../../functions/contract/practice-route.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/practice-routes.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { allowIdentifying } from './practice-api.ts';
import type { SandboxBank } from './sandbox-bank.ts';
import { serviceFunction } from './service-function.ts';

interface SandboxApiProps {
  readonly bundles: string;
  readonly data: Data;
  readonly api: PaymentApi;
  readonly bank: SandboxBank;
  readonly settlements: Queue;
}

/** The routes that simulate the patient and the bank. Sandbox only. */
export class SandboxApi extends Construct {
  constructor(scope: Construct, id: string, { bundles, data, api, bank, settlements }: SandboxApiProps) {
    super(scope, id);
    const route = (name: string, file: string, declared: PracticeRoute): Function => {
      const handler = serviceFunction(this, name, { bundles, file: `practice-api/sandbox/${file}` });
      api.addRoute(name, declared, handler);
      allowIdentifying(handler, data);
      data.grant(handler, 'sessions', 'GetItem', 'UpdateItem');
      data.grant(handler, 'events', 'PutItem');
      data.grant(handler, 'invoiceClaims', 'DeleteItem');
      bank.allowSubmitting(handler, settlements);
      return handler;
    };

    const simulate = route('SimulateSession', 'simulate-session', sandboxPracticeRoutes.simulateSession);
    data.grant(simulate, 'invoiceClaims', 'GetItem', 'PutItem');
    data.grant(simulate, 'authorizations', 'PutItem');
    route('AdvanceSession', 'advance-session', sandboxPracticeRoutes.advanceSession);
  }
}
