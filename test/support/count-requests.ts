import type { Table } from '../../functions/contract/environment.ts';
import type { Database } from '../../functions/store/database.ts';
import { beforeEachCall } from './each-call.ts';

/** The same database, and the requests to each table since `taken` was called last. */
export function countRequests(database: Database<Table>) {
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
    taken() {
      const before = counts;
      counts = {};
      return before;
    },
  };
}
