import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { reservedConcurrency } from './concurrency.ts';
import type { Data } from './data.ts';
import type { Debits } from './debits.ts';
import type { Expirations } from './expirations.ts';
import type { PaymentEvents } from './payment-events.ts';
import type { Processor } from './processor.ts';
import { deadLetterQueue, sendTickets } from './queues.ts';
import { keepFailures, serviceFunction } from './service-function.ts';
import type { Webhooks } from './webhooks.ts';

interface SweepProps {
  readonly bundles: string;
  readonly processor: Processor;
  readonly data: Data;
  readonly events: PaymentEvents;
  readonly expirations: Expirations;
  readonly debits: Debits;
  readonly webhooks: Webhooks;
  readonly reserve: boolean;
}

export class Sweep extends Construct {
  readonly failures = deadLetterQueue(this, 'Failures');
  readonly undelivered = deadLetterQueue(this, 'Undelivered');

  constructor(scope: Construct, id: string, props: SweepProps) {
    super(scope, id);
    const { bundles, processor, data, events, expirations, debits, webhooks, reserve } = props;
    const sweep = serviceFunction(this, 'Function', {
      bundles,
      file: 'triggers/sweep',
      timeout: Duration.seconds(50),
      reserved: reserve ? reservedConcurrency.sweep : undefined,
    });
    data.grant(sweep, 'sessions', 'Query:byDue', 'UpdateItem');
    data.grant(sweep, 'events', 'Query:byDue', 'GetItem', 'BatchGetItem', 'UpdateItem');
    data.grant(sweep, 'deliveries', 'Query:byDue', 'GetItem', 'PutItem', 'UpdateItem');
    data.grant(sweep, 'webhookEndpoints', 'Query');
    events.allowPublishing(sweep);
    sendTickets(sweep, 'expirations', expirations.tickets);
    sendTickets(sweep, 'debits', debits.submissions);
    processor.allowSweeping(sweep, debits.settlements);
    sendTickets(sweep, 'deliveries', webhooks.tickets);

    keepFailures(sweep, this.failures);
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweep, { deadLetterQueue: this.undelivered })],
    });
  }
}
