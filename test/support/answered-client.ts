import type { Database } from '../../functions/store/database.ts';
import type { Call, Inputs, Operation } from '../../functions/store/dynamodb.ts';

interface Sent {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Throw to answer with an error. */
export type Answer = (command: string, input: Sent['input']) => object | undefined;

interface Client {
  readonly middlewareStack: {
    add(
      middleware: (
        next: unknown,
        context: { readonly commandName?: string },
      ) => (args: { readonly input: object }) => Promise<{ readonly output: never; readonly response: unknown }>,
      options: { readonly step: 'initialize'; readonly priority: 'high' },
    ): void;
  };
}

/** Answers the commands of an AWS client in place of AWS; records what was sent, in order. */
export function answered<Answered>(client: Answered, answer: Answer, sent: Sent[] = []) {
  (client as Client).middlewareStack.add(
    (_next, { commandName }) =>
      async ({ input }) => {
        const command = (commandName ?? '').replace(/Command$/, '');
        sent.push({ command, input: input as Sent['input'] });
        const output = answer(command, input as Sent['input']);
        if (!output) throw new Error(`no answer to ${command}`);
        return { output: { $metadata: {}, ...output } as never, response: {} };
      },
    { step: 'initialize', priority: 'high' },
  );
  return { client, sent };
}

type Called = {
  readonly [Name in Operation]: { readonly operation: Name; readonly input: Inputs[Name] };
}[Operation];

/** Wraps a database so that `around` answers each call. It may perform the call. */
export function aroundEachCall<Wrapped extends Database>(
  database: Wrapped,
  around: (called: Called, perform: () => Promise<unknown>) => Promise<unknown>,
): Wrapped {
  const call = async (operation: Operation, input: never) =>
    around({ operation, input } as Called, async () => database.call(operation, input));
  return { ...database, call: call as Call };
}

/** Wraps a database so that each call waits for `before`, and fails if that throws. */
export function beforeEachCall<Wrapped extends Database>(
  database: Wrapped,
  before: (called: Called) => Promise<void> | void,
): Wrapped {
  return aroundEachCall(database, async (called, perform) => {
    await before(called);
    return perform();
  });
}

/** Wraps a database, and counts the requests to each table since the last call of `requests`. */
export function countRequests(database: Database) {
  const names = new Map(Object.entries(database.tables).map(([table, name]) => [name, table]));
  let counts: Record<string, number> = {};
  const count = (name: string | undefined) => {
    const table = names.get(name ?? '') ?? 'unknown';
    counts[table] = (counts[table] ?? 0) + 1;
  };
  return {
    database: beforeEachCall(database, ({ input }) => {
      if ('TableName' in input) count(input.TableName);
      else if ('RequestItems' in input) Object.keys(input.RequestItems ?? {}).forEach(count);
      else count('a transaction');
    }),
    requests() {
      const before = counts;
      counts = {};
      return before;
    },
  };
}

export function awsConfig(endpoint: string) {
  return { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
}
