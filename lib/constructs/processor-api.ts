import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import type { PaymentApi } from './http-api.ts';
import { processorTimeout, type StripeAccess } from './processor.ts';
import { serviceFunction } from './service-function.ts';

interface ProcessorApiProps {
  readonly api: PaymentApi;
  readonly stripe: StripeAccess;
  readonly settlements: Queue;
}

/** The route for the processor's notifications. */
export class ProcessorApi extends Construct {
  constructor(scope: Construct, id: string, { api, stripe, settlements }: ProcessorApiProps) {
    super(scope, id);
    const receive = serviceFunction(this, 'ReceiveStripeEvent', {
      file: 'processor-api/live/receive-stripe-event',
      timeout: processorTimeout,
    });
    api.addRoute('ReceiveStripeEvent', receiveStripeEventRoute, receive);
    stripe.allowReceiving(receive, settlements);
  }
}
