import type { Table } from '../contract/environment.ts';
import { dynamoDbOfLambda, type Call } from './dynamodb.ts';

export interface Database<Tables extends Table = never> {
  readonly call: Call;
  readonly tables: Readonly<Record<Tables, string>>;
}

export function connect<Tables extends Table>(
  tables: Readonly<Record<Tables, string>>,
  call = dynamoDbOfLambda(),
): Database<Tables> {
  return { call, tables };
}
