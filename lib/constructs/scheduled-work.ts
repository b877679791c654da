import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { settingVariables } from '../../functions/contract/environment.ts';
import {
  reservedConcurrency,
  deadLetterQueue,
  sendTickets,
  queueConcurrency,
  consumeTickets,
  ticketQueue,
  ticketTimeout,
} from './queues.ts';
import type { Data } from './data.ts';
import type { Debits } from './debits.ts';
import type { PaymentEvents } from './payment-events.ts';
import type { Processor, StripeAccess } from './processor.ts';
import { runEvery, serviceFunction } from './service-function.ts';
import type { Webhooks } from './webhooks.ts';
import type { EvidenceArchive } from './evidence-archive.ts';

/** Separate from the sweep, so that a mass expiration does not delay anything else. */
export class Expirations extends Construct {
  readonly tickets: Queue;
  readonly failedTickets = deadLetterQueue(this, 'FailedTickets');

  constructor(scope: Construct, id: string, { data }: { data: Data }) {
    super(scope, id);
    this.tickets = ticketQueue(this, 'Tickets', this.failedTickets);
    const expire = serviceFunction(this, 'ExpireSession', {
      file: 'triggers/expire-session',
      timeout: ticketTimeout,
    });
    consumeTickets(expire, this.tickets, queueConcurrency.expire);
    data.grant(expire, { sessions: ['GetItem', 'UpdateItem'], events: ['PutItem'] });
  }
}

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
    const handler = serviceFunction(this, 'Function', {
      file: 'triggers/sweep',
      timeout: Duration.seconds(50),
      reserved: reserve ? reservedConcurrency.sweep : undefined,
    });
    data.grant(handler, {
      sessions: ['Query:byDue', 'UpdateItem'],
      events: ['Query:byDue', 'GetItem', 'BatchGetItem', 'UpdateItem'],
      deliveries: ['Query:byDue', 'GetItem', 'PutItem', 'UpdateItem'],
      webhookEndpoints: ['Query'],
      practices: ['BatchGetItem'],
    });
    events.allowPublishing(handler);
    sendTickets(handler, 'expirations', expirations.tickets);
    sendTickets(handler, 'debits', debits.submissions);
    processor.allowSweeping(handler, debits.settlements);
    sendTickets(handler, 'deliveries', webhooks.tickets);

    const { failures, undelivered } = this;
    runEvery(this, 'EveryMinute', { interval: Duration.minutes(1), handler, failures, undelivered });
  }
}

interface RetentionProps {
  readonly data: Data;
  readonly sweep: Sweep;
}

/** Failures go to the sweep's queue, because here, too, the next run makes up for a failed one. */
export class Retention extends Construct {
  constructor(scope: Construct, id: string, { data, sweep }: RetentionProps) {
    super(scope, id);
    const handler = serviceFunction(this, 'Function', {
      file: 'triggers/scrub-sessions',
      timeout: Duration.minutes(10),
    });
    data.grant(handler, {
      practices: ['Scan', 'UpdateItem'],
      sessions: ['Query:byPractice', 'BatchGetItem', 'UpdateItem'],
    });
    const { failures, undelivered } = sweep;
    runEvery(this, 'EveryDay', { interval: Duration.days(1), handler, failures, undelivered });
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
    const handler = serviceFunction(this, 'Function', {
      file: 'triggers/live/reconcile',
      timeout: Duration.minutes(10),
    });
    data.grant(handler, { practices: ['Scan'], sessions: ['Query:byPracticeStatus'] });
    stripe.allowReconciling(handler, settlements);
    data.grant(handler, { events: ['Query:byPractice'], authorizations: ['GetItem'] });
    archive.allowChecking(handler);

    const { failures } = this;
    runEvery(this, 'EveryHour', { interval: Duration.hours(1), handler, failures, undelivered: failures });
  }
}

interface Addresses {
  readonly apiUrl: string;
  readonly hostedPageUrl: string;
  readonly dashboardUrl: string;
}

/** Probes the public addresses. Shares the sweep's log group and queues: the next run makes up for a failed one. */
export function addProbe(sweep: Sweep, { apiUrl, hostedPageUrl, dashboardUrl }: Addresses): void {
  const handler = serviceFunction(sweep, 'Probe', {
    file: 'triggers/live/probe',
    timeout: Duration.seconds(30),
    environment: {
      [settingVariables.apiUrl]: apiUrl,
      [settingVariables.hostedPageUrl]: hostedPageUrl,
      [settingVariables.dashboardUrl]: dashboardUrl,
    },
  });
  const { failures, undelivered } = sweep;
  runEvery(sweep, 'EveryFiveMinutes', { interval: Duration.minutes(5), handler, failures, undelivered });
}
