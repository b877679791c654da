import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Command = Parameters<DynamoDBDocumentClient['send']>[0];

/** The same client. Each command waits for `before`, and fails if that throws. */
export function beforeEachCommand(
  client: DynamoDBDocumentClient,
  before: (command: Command) => Promise<void>,
): DynamoDBDocumentClient {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (property !== 'send') return value;
      return async (command: Command) => {
        await before(command);
        return target.send(command);
      };
    },
  });
}
