import { Duration, Validations } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueVariables, type Queue as QueueName } from '../../functions/contract/environment.ts';

/** Maximum concurrent invocations per queue: together about a tenth of an account's usual 1,000. The APIs keep the rest. */
export const queueConcurrency = {
  submit: 20,
  settle: 20,
  send: 50,
  mail: 5,
  // Lambda's minimum. With more, a mass expiration would delay other events in the outbox's stream.
  expire: 2,
} as const;

/** Used with `-c reserve=true`. Reserved for these functions, and also their maximum. An account must keep 100 unreserved. */
export const reservedConcurrency = {
  submit: queueConcurrency.submit,
  settle: queueConcurrency.settle,
  publish: 20,
  sweep: 2,
} as const;

/** Throws for anything but `true` and `false`. */
export function reserveOf(reserve: string | undefined): boolean {
  if (reserve !== undefined && reserve !== 'true' && reserve !== 'false')
    throw new Error('-c reserve must be true or false.');
  return reserve === 'true';
}

const secure = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/** A message here means that our own pipeline failed, never that a receiver did. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, { ...secure, retentionPeriod: Duration.days(14) });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'It is a dead-letter queue.',
  });
  return queue;
}

export function ticketQueue(scope: Construct, id: string, deadLetters: Queue): Queue {
  return new Queue(scope, id, {
    ...secure,
    // AWS's recommendation: a throttled batch waits inside Lambda's poller.
    visibilityTimeout: Duration.seconds(6 * ticketTimeout.toSeconds()),
    retentionPeriod: Duration.days(4),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
  });
}

export const ticketTimeout = Duration.seconds(30);

export function consumeTickets(consumer: Function, queue: Queue, maxConcurrency: number): void {
  consumer.addEventSource(new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency }));
}

export function sendTickets(sender: Function, name: QueueName, queue: Queue): void {
  queue.grant(sender, 'sqs:SendMessage');
  sender.addEnvironment(queueVariables[name], queue.queueUrl);
}
