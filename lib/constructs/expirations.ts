import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { queueConcurrency, consumeTickets, deadLetterQueue, ticketQueue, ticketTimeout } from './queues.ts';
import type { Data } from './data.ts';
import { serviceFunction } from './service-function.ts';

/** Separate from the sweep, so that a mass expiration delays nothing else. */
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
