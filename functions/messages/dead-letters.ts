import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';

export type DeadLetter = ReturnType<typeof deadLetterOf>;

/** In seconds. */
const visibilityTimeout = 300;

export function deadLetterMessages(client: SQSClient) {
  return {
    /** Returns at most ten, oldest first, and hides them for five minutes. */
    async receive(queueUrl: string) {
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
    async send(queueUrl: string, { body, groupId }: Pick<DeadLetter, 'body' | 'groupId'>) {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, MessageGroupId: groupId }));
    },
    async remove(queueUrl: string, { receipt }: DeadLetter) {
      await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
    },
  };
}

export type DeadLetterMessages = ReturnType<typeof deadLetterMessages>;

function deadLetterOf({ MessageId = '', ReceiptHandle, Body = '', Attributes }: Message) {
  return {
    messageId: MessageId,
    receipt: ReceiptHandle,
    body: Body,
    groupId: Attributes?.MessageGroupId,
    sentAt: Number(Attributes?.SentTimestamp ?? 0),
  };
}
