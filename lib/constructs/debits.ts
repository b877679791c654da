import { Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { busEventSource } from '../../functions/contract/webhooks/tickets.ts';
import {
  queueConcurrency,
  reservedConcurrency,
  consumeTickets,
  deadLetterQueue,
  ticketQueue,
  ticketTimeout,
} from './queues.ts';
import type { Data } from './data.ts';
import type { PaymentEvents } from './payment-events.ts';
import { serviceFunction } from './service-function.ts';
import type { Processor } from './processor.ts';
import type { sessionEventTypes } from '../../functions/domain/sessions/transitions.ts';

interface DebitsProps {
  readonly processor: Processor;
  readonly data: Data;
  readonly events: PaymentEvents;
  readonly reserve: boolean;
}

const authorized = 'session.payment.processing' satisfies (typeof sessionEventTypes)[number];

export class Debits extends Construct {
  readonly submissions: Queue;
  readonly settlements: Queue;
  readonly submit: Function;
  readonly settle: Function;
  readonly failedSubmissions = deadLetterQueue(this, 'FailedSubmissions');
  readonly failedSettlements = deadLetterQueue(this, 'FailedSettlements');
  readonly undelivered = deadLetterQueue(this, 'Undelivered');

  constructor(scope: Construct, id: string, { processor, data, events, reserve }: DebitsProps) {
    super(scope, id);
    this.submissions = ticketQueue(this, 'Submissions', this.failedSubmissions);
    this.settlements = ticketQueue(this, 'Settlements', this.failedSettlements);

    new Rule(this, 'Authorized', {
      eventBus: events.bus,
      eventPattern: { source: [busEventSource], detailType: [authorized] },
      targets: [
        new SqsQueue(this.submissions, {
          message: RuleTargetInput.fromEventPath('$.detail'),
          deadLetterQueue: this.undelivered,
        }),
      ],
    });

    this.submit = serviceFunction(this, 'SubmitDebit', {
      file: 'triggers/submit-debit',
      timeout: ticketTimeout,
      reserved: reserve ? reservedConcurrency.submit : undefined,
    });
    consumeTickets(this.submit, this.submissions, queueConcurrency.submit);
    processor.allowSubmitting(this.submit, this.settlements);

    this.settle = serviceFunction(this, 'SettlePayment', {
      file: 'triggers/settle-payment',
      timeout: ticketTimeout,
      reenqueues: true,
      reserved: reserve ? reservedConcurrency.settle : undefined,
    });
    consumeTickets(this.settle, this.settlements, queueConcurrency.settle);
    processor.allowSettling(this.settle, this.settlements);

    for (const each of [this.submit, this.settle]) {
      data.grant(each, { sessions: ['GetItem', 'UpdateItem'], events: ['PutItem'], invoiceClaims: ['DeleteItem'] });
    }
    // Needed when a session's full refund fails after all.
    data.grant(this.settle, { invoiceClaims: ['PutItem'] });
  }
}
