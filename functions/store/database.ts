import type { Table } from '../contract/environment.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { dynamoDb, type Call } from './dynamodb.ts';

export interface Database<Tables extends Table = never> {
  readonly call: Call;
  readonly tables: Readonly<Record<Tables, string>>;
}

/** For use cases whose rows have new IDs, such as those with an entry in the audit log. */
export interface WritingTools<Tables extends Table> {
  readonly database: Database<Tables>;
  readonly randomBytes: RandomBytes;
}

export function connect<Tables extends Table>(
  tables: Readonly<Record<Tables, string>>,
  call = dynamoDb(),
): Database<Tables> {
  return { call, tables };
}
