import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { settingVariables } from '../../functions/contract/environment.ts';
import { keepFailures, serviceFunction } from './service-function.ts';
import type { Sweep } from './scheduled-work.ts';

interface Addresses {
  readonly apiUrl: string;
  readonly hostedPageUrl: string;
  readonly dashboardUrl: string;
}

/** Asks the public addresses every five minutes. Shares the sweep's log group and queues: the next run makes up for a failed one. */
export function addProbe(sweep: Sweep, { apiUrl, hostedPageUrl, dashboardUrl }: Addresses): void {
  const probe = serviceFunction(sweep, 'Probe', {
    file: 'triggers/live/probe',
    timeout: Duration.seconds(30),
    environment: {
      [settingVariables.apiUrl]: apiUrl,
      [settingVariables.hostedPageUrl]: hostedPageUrl,
      [settingVariables.dashboardUrl]: dashboardUrl,
    },
  });
  keepFailures(probe, sweep.failures);
  new Rule(sweep, 'EveryFiveMinutes', {
    schedule: Schedule.rate(Duration.minutes(5)),
    targets: [new LambdaFunction(probe, { deadLetterQueue: sweep.undelivered })],
  });
}
