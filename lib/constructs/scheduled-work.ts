import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { reservedConcurrency, deadLetterQueue, sendTickets } from './queues.ts';
import type { Data } from './data.ts';
import type { Debits } from './debits.ts';
import type { Expirations } from './expirations.ts';
import type { PaymentEvents } from './payment-events.ts';
import type { Processor, StripeAccess } from './processor.ts';
import { keepFailures, serviceFunction } from './service-function.ts';
import type { Webhooks } from './webhooks.ts';
import type { EvidenceArchive } from './evidence-archive.ts';

interface SweepProps {
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
    const { processor, data, events, expirations, debits, webhooks, reserve } = props;
    const sweep = serviceFunction(this, 'Function', {
      file: 'triggers/sweep',
      timeout: Duration.seconds(50),
      reserved: reserve ? reservedConcurrency.sweep : undefined,
    });
    data.grant(sweep, 'sessions', 'Query:byDue', 'UpdateItem');
    data.grant(sweep, 'events', 'Query:byDue', 'GetItem', 'BatchGetItem', 'UpdateItem');
    data.grant(sweep, 'deliveries', 'Query:byDue', 'GetItem', 'PutItem', 'UpdateItem');
    data.grant(sweep, 'webhookEndpoints', 'Query');
    data.grant(sweep, 'practices', 'BatchGetItem');
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

interface RetentionProps {
  readonly data: Data;
  readonly sweep: Sweep;
}

/** Failures go to the sweep's queue, because here too the next run makes up for a failed one. */
export class Retention extends Construct {
  constructor(scope: Construct, id: string, { data, sweep }: RetentionProps) {
    super(scope, id);
    const scrub = serviceFunction(this, 'Function', {
      file: 'triggers/scrub-sessions',
      timeout: Duration.minutes(10),
    });
    data.grant(scrub, 'practices', 'Scan', 'UpdateItem');
    data.grant(scrub, 'sessions', 'Query:byPractice', 'BatchGetItem', 'UpdateItem');
    keepFailures(scrub, sweep.failures);
    new Rule(this, 'EveryDay', {
      schedule: Schedule.rate(Duration.days(1)),
      targets: [new LambdaFunction(scrub, { deadLetterQueue: sweep.undelivered })],
    });
  }
}

interface ReconciliationProps {
  readonly data: Data;
  readonly stripe: StripeAccess;
  readonly archive: EvidenceArchive;
  readonly settlements: Queue;
}

/** Compares the processor's records and the evidence archive with our tables. */
export class Reconciliation extends Construct {
  readonly failures = deadLetterQueue(this, 'Failures');

  constructor(scope: Construct, id: string, props: ReconciliationProps) {
    super(scope, id);
    const { data, stripe, archive, settlements } = props;
    const reconcile = serviceFunction(this, 'Function', {
      file: 'triggers/live/reconcile',
      timeout: Duration.minutes(10),
    });
    data.grant(reconcile, 'practices', 'Scan');
    data.grant(reconcile, 'sessions', 'Query:byPracticeStatus');
    stripe.allowReconciling(reconcile, settlements);
    data.grant(reconcile, 'events', 'Query:byPractice');
    data.grant(reconcile, 'authorizations', 'GetItem');
    archive.allowChecking(reconcile);

    keepFailures(reconcile, this.failures);
    new Rule(this, 'EveryHour', {
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new LambdaFunction(reconcile, { deadLetterQueue: this.failures })],
    });
  }
}
