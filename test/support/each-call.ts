import type { Database } from '../../functions/store/database.ts';
import type { Call } from '../../functions/store/dynamodb.ts';
import type { Inputs, Operation } from '../../functions/store/operations.ts';

export type Called = {
  readonly [Name in Operation]: { readonly operation: Name; readonly input: Inputs[Name] };
}[Operation];

/** The same database. Each call is answered by `around`, which may perform it. */
export function aroundEachCall<Wrapped extends Database>(
  database: Wrapped,
  around: (called: Called, perform: () => Promise<unknown>) => Promise<unknown>,
): Wrapped {
  const call = async (operation: Operation, input: never) =>
    around({ operation, input } as Called, async () => database.call(operation, input));
  return { ...database, call: call as Call };
}

/** The same database. Each call waits for `before`, and fails if that throws. */
export function beforeEachCall<Wrapped extends Database>(
  database: Wrapped,
  before: (called: Called) => Promise<void> | void,
): Wrapped {
  return aroundEachCall(database, async (called, perform) => {
    await before(called);
    return perform();
  });
}
