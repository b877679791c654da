import type { Table } from '../contract/environment.ts';
import { dynamoDb, type Call } from './dynamodb.ts';

export interface Database<Tables extends Table = never> {
  readonly call: Call;
  readonly tables: Readonly<Record<Tables, string>>;
}

export function connect<Tables extends Table>(
  tables: Readonly<Record<Tables, string>>,
  call = dynamoDb(),
): Database<Tables> {
  return { call, tables };
}
