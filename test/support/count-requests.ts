import type { Table } from '../../functions/contract/environment.ts';
import type { Database } from '../../functions/store/database.ts';

/** The same database, and the requests to each table since `taken` was called last. */
export function countRequests(database: Database<Table>) {
  const names = new Map(Object.entries(database.tables).map(([table, name]) => [name, table]));
  let counts: Record<string, number> = {};
  const count = (name: string | undefined) => {
    const table = names.get(name ?? '') ?? 'unknown';
    counts[table] = (counts[table] ?? 0) + 1;
  };
  const client = new Proxy(database.client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (property !== 'send') return value;
      return (command: Parameters<typeof target.send>[0]) => {
        const { input } = command;
        if ('TableName' in input) count(input.TableName as string);
        else if ('RequestItems' in input) Object.keys(input.RequestItems ?? {}).forEach(count);
        else count('a transaction');
        return target.send(command);
      };
    },
  });
  return {
    database: { ...database, client } as Database<Table>,
    taken() {
      const before = counts;
      counts = {};
      return before;
    },
  };
}
