import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Data } from './data.ts';
import type { EvidenceArchive } from './evidence-archive.ts';
import { deadLetterQueue } from './queues.ts';
import { keepFailures, serviceFunction } from './service-function.ts';
import type { StripeAccess } from './stripe-access.ts';

interface ReconciliationProps {
  readonly bundles: string;
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
    const { bundles, data, stripe, archive, settlements } = props;
    const reconcile = serviceFunction(this, 'Function', {
      bundles,
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
