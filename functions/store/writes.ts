import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Table } from '../contract/environment.ts';
import { Fault } from '../domain/fault.ts';
import type { Database } from './database.ts';
import { attribute, expression, join, render, type Expression, type Value } from './expressions.ts';
import { itemOf } from './dynamodb.ts';

export type Key = Readonly<Record<string, string>>;
export type Row = Readonly<Record<string, unknown>>;

export type Part = TransactWriteItem;

export interface Change<Shape = Row> {
  /** An attribute that is set to null is removed. */
  readonly set?: {
    readonly [Name in keyof Shape]?:
      | NonNullable<Shape[Name]>
      | Expression
      | undefined
      | (undefined extends Shape[Name] ? null : never);
  };
  readonly remove?: readonly (keyof Shape & string)[];
  readonly add?: { readonly [Name in keyof Shape]?: number | ReadonlySet<string> | undefined };
  readonly delete?: { readonly [Name in keyof Shape]?: ReadonlySet<string> };
  readonly condition?: Expression | undefined;
}

interface PutOptions {
  readonly condition?: Expression | undefined;
  readonly returnRow?: boolean;
}

/** Throws a Fault for a table that was not granted, or that an older stack does not have. */
export function nameOf(table: Table, names: Database['tables']): string {
  const name = names[table];
  if (name === undefined)
    throw new Fault(`the table ${table} has no name here: it was not granted, or the stack is of another version`);
  return name;
}

const allOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

export function put({ tables }: Database, table: Table, row: Row, { condition, returnRow = false }: PutOptions = {}) {
  return {
    Put: {
      TableName: nameOf(table, tables),
      Item: itemOf(row),
      ...render({ condition }),
      ...(returnRow && allOld),
    },
  };
}

export function putNew<Inserted extends Row>(
  database: Database,
  table: Table,
  row: Inserted,
  key: keyof Inserted & string,
  outdated?: Expression,
) {
  const isNew = expression`attribute_not_exists(${attribute(key)})`;
  return put(database, table, row, { condition: outdated ? expression`${isNew} OR ${outdated}` : isNew });
}

export function change<Shape = Row>(
  { tables }: Database,
  table: Table,
  key: Key,
  { condition, ...changes }: Change<Shape>,
) {
  const update = updateOf(changes);
  return {
    Update: { TableName: nameOf(table, tables), Key: itemOf(key), ...render({ update, condition }), ...allOld },
  };
}

export function deleteRow({ tables }: Database, table: Table, key: Key, condition?: Expression) {
  return { Delete: { TableName: nameOf(table, tables), Key: itemOf(key), ...render({ condition }) } };
}

/** Only checks: the transaction fails unless the condition holds. */
export function check({ tables }: Database, table: Table, key: Key, condition: Expression): Part {
  const { ConditionExpression, ...rest } = render({ condition });
  return { ConditionCheck: { TableName: nameOf(table, tables), Key: itemOf(key), ConditionExpression, ...rest } };
}

function updateOf<Shape>({
  set = {},
  remove = [],
  add = {},
  delete: removed = {},
}: Omit<Change<Shape>, 'condition'>): Expression | undefined {
  const nulls = Object.entries<unknown>(set).flatMap(([name, value]) => (value === null ? [name] : []));
  const clauses = [
    clause('SET', each(set, ' = ')),
    clause('REMOVE', [...remove, ...nulls].map(attribute)),
    clause('ADD', each(add, ' ')),
    clause('DELETE', each(removed, ' ')),
  ].filter((present) => present !== undefined);
  return clauses.length > 0 ? join(clauses, ' ') : undefined;
}

function each(values: Readonly<Record<string, Value | null | undefined>>, operator: string): Expression[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [expression([name + operator, ''], value)],
  );
}

function clause(verb: string, parts: readonly Expression[]): Expression | undefined {
  return parts.length > 0 ? expression([`${verb} `, ''], join(parts, ', ')) : undefined;
}
