import type { Table } from '../contract/environment.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { dynamoDb, type Call } from './dynamodb.ts';

export interface Database {
  readonly call: Call;
  /** Only the tables that the function was granted. */
  readonly tables: { readonly [Name in Table]?: string | undefined };
}

export interface ReadingTools {
  readonly database: Database;
}

/** Tools for use cases that differ in the sandbox. */
export interface ModeTools extends ReadingTools {
  readonly mode: Mode;
}

/** Tools for use cases whose rows have new IDs, such as those with an entry in the audit log. */
export interface WritingTools extends ReadingTools {
  readonly randomBytes: RandomBytes;
}

export function connect(tables: Database['tables'], call = dynamoDb()): Database {
  return { call, tables };
}
