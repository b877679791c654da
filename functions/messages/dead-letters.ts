import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';

export interface DeadLetter {
  readonly messageId: string;
  readonly receipt: string | undefined;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly sentAt: number;
}

export interface DeadLetterMessages {
  /** Returns at most ten, oldest first, and hides them for five minutes. */
  readonly receive: (queueUrl: string) => Promise<DeadLetter[]>;
  readonly send: (queueUrl: string, letter: Pick<DeadLetter, 'body' | 'groupId'>) => Promise<void>;
  readonly remove: (queueUrl: string, letter: DeadLetter) => Promise<void>;
}

/** In seconds. */
const visibilityTimeout = 300;

export function deadLetterMessages(client: SQSClient): DeadLetterMessages {
  return {
    async receive(queueUrl) {
      const { Messages = [] } = await client.send(
        // Without a wait, SQS queries only some of its servers.
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: 10,
          WaitTimeSeconds: 1,
          VisibilityTimeout: visibilityTimeout,
          MessageSystemAttributeNames: ['All'],
        }),
      );
      return Messages.map(deadLetterOf).sort((one, other) => one.sentAt - other.sentAt);
    },
    async send(queueUrl, { body, groupId }) {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, MessageGroupId: groupId }));
    },
    async remove(queueUrl, { receipt }) {
      await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
    },
  };
}

function deadLetterOf({ MessageId = '', ReceiptHandle, Body = '', Attributes }: Message): DeadLetter {
  return {
    messageId: MessageId,
    receipt: ReceiptHandle,
    body: Body,
    groupId: Attributes?.MessageGroupId,
    sentAt: Number(Attributes?.SentTimestamp ?? 0),
  };
}
