import { Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { settingVariables } from '../functions/contract/environment.ts';
import { busEventSource } from '../functions/contract/tickets.ts';
import { queueConcurrency } from './concurrency.ts';
import type { Data } from './data.ts';
import type { PaymentEvents } from './payment-events.ts';
import { consumeTickets, deadLetterQueue, sendTickets, ticketQueue, ticketTimeout } from './queues.ts';
import { keepFailures, serviceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

interface WebhooksProps {
  readonly bundles: string;
  readonly stage: Stage;
  readonly data: Data;
  readonly events: PaymentEvents;
}

export class Webhooks extends Construct {
  readonly tickets: Queue;
  readonly failedTickets = deadLetterQueue(this, 'FailedTickets');
  readonly undispatched = deadLetterQueue(this, 'Undispatched');
  readonly undelivered = deadLetterQueue(this, 'Undelivered');

  constructor(scope: Construct, id: string, { bundles, stage, data, events }: WebhooksProps) {
    super(scope, id);
    this.tickets = ticketQueue(this, 'Tickets', this.failedTickets);

    const dispatch = serviceFunction(this, 'DispatchWebhooks', {
      bundles,
      file: 'triggers/dispatch-webhooks',
      timeout: ticketTimeout,
    });
    data.grant(dispatch, 'events', 'GetItem', 'UpdateItem');
    data.grant(dispatch, 'webhookEndpoints', 'Query');
    data.grant(dispatch, 'deliveries', 'PutItem', 'Query', 'UpdateItem');
    keepFailures(dispatch, this.undispatched);
    new Rule(this, 'SessionEvent', {
      eventBus: events.bus,
      eventPattern: { source: [busEventSource], detailType: Match.prefix('session.payment.') },
      targets: [
        new LambdaFunction(dispatch, {
          event: RuleTargetInput.fromEventPath('$.detail'),
          deadLetterQueue: this.undelivered,
        }),
      ],
    });

    const send = serviceFunction(this, 'SendWebhook', {
      bundles,
      file: 'triggers/send-webhook',
      timeout: ticketTimeout,
      environment: { [settingVariables.allowLoopbackWebhooks]: String(stage.allowLoopbackWebhooks) },
    });
    consumeTickets(send, this.tickets, queueConcurrency.send);
    data.grant(send, 'deliveries', 'UpdateItem');
    data.grant(send, 'attempts', 'PutItem');
    data.grant(send, 'events', 'BatchGetItem', 'UpdateItem');
    data.grant(send, 'webhookEndpoints', 'UpdateItem');

    events.allowPublishing(send);
    for (const each of [dispatch, send]) sendTickets(each, 'deliveries', this.tickets);
  }
}
