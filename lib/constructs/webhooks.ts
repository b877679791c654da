import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';
import {
  queueConcurrency,
  consumeTickets,
  deadLetterQueue,
  sendTickets,
  ticketQueue,
  ticketTimeout,
} from './queues.ts';
import type { Data } from './data.ts';
import type { PaymentEvents } from './payment-events.ts';
import { serviceFunction } from './service-function.ts';
import type { Stage } from '../settings/stage.ts';

interface WebhooksProps {
  readonly stage: Stage;
  readonly data: Data;
  readonly events: PaymentEvents;
}

export class Webhooks extends Construct {
  readonly tickets: Queue;
  readonly send: Function;
  readonly failedTickets = deadLetterQueue(this, 'FailedTickets');

  constructor(scope: Construct, id: string, { stage, data, events }: WebhooksProps) {
    super(scope, id);
    this.tickets = ticketQueue(this, 'Tickets', this.failedTickets);

    // The function that publishes an event also creates its deliveries.
    data.grant(events.publish, {
      events: ['BatchGetItem', 'UpdateItem'],
      webhookEndpoints: ['Query'],
      practices: ['BatchGetItem'],
      deliveries: ['PutItem'],
    });

    this.send = serviceFunction(this, 'SendWebhook', {
      file: 'triggers/send-webhook',
      timeout: ticketTimeout,
      // While an endpoint is busy, a ticket is postponed again and again.
      reenqueues: true,
      environment: { [settingVariables.allowLoopbackWebhooks]: String(stage.allowLoopbackWebhooks) },
    });
    consumeTickets(this.send, this.tickets, queueConcurrency.send);
    data.grant(this.send, {
      deliveries: ['UpdateItem'],
      attempts: ['PutItem'],
      events: ['BatchGetItem'],
      webhookEndpoints: ['UpdateItem'],
      practices: ['BatchGetItem'],
    });

    events.allowPublishing(this.send);
    for (const each of [events.publish, this.send]) sendTickets(each, 'deliveries', this.tickets);
  }
}
