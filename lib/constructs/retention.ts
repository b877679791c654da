import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Data } from './data.ts';
import { keepFailures, serviceFunction } from './service-function.ts';
import type { Sweep } from './sweep.ts';

interface RetentionProps {
  readonly bundles: string;
  readonly data: Data;
  readonly sweep: Sweep;
}

/** Failures go to the sweep's queue, because here too the next run makes up for a failed one. */
export class Retention extends Construct {
  constructor(scope: Construct, id: string, { bundles, data, sweep }: RetentionProps) {
    super(scope, id);
    const scrub = serviceFunction(this, 'Function', {
      bundles,
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
