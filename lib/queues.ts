import { Duration, Validations } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueVariables, type Queue as QueueName } from '../functions/contract/environment.ts';

const secure = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;

/** Where our own faults end; anything in it means that the pipeline is broken. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, { ...secure, retentionPeriod: Duration.days(14) });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'It is where failures end; nothing consumes it that could fail.',
  });
  return queue;
}

/** A queue of tickets; one that fails five times goes to `deadLetters`. */
export function ticketQueue(scope: Construct, id: string, deadLetters: Queue): Queue {
  return new Queue(scope, id, {
    ...secure,
    // Six times the time-out of the consumer, as AWS advises: a throttled batch waits inside Lambda's poller.
    visibilityTimeout: Duration.seconds(6 * ticketTimeout.toSeconds()),
    retentionPeriod: Duration.days(4),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
  });
}

/** The time-out of every function that consumes tickets. */
export const ticketTimeout = Duration.seconds(30);

export function consumeTickets(consumer: Function, queue: Queue): void {
  consumer.addEventSource(
    new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency: 50 }),
  );
}

/** Lets a function send tickets to a queue and tells it where the queue is. */
export function sendTickets(sender: Function, name: QueueName, queue: Queue): void {
  queue.grant(sender, 'sqs:SendMessage');
  sender.addEnvironment(queueVariables[name], queue.queueUrl);
}
