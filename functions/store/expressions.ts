import { itemOf } from './dynamodb.ts';

export class Expression {
  readonly texts: readonly string[];
  readonly values: readonly Value[];

  constructor(texts: readonly string[], values: readonly Value[]) {
    this.texts = texts;
    this.values = values;
  }
}

export type Value = NonNullable<unknown>;

/** A template tag: values become placeholders and names get aliases, so reserved words are safe. */
export function expression(texts: readonly string[], ...values: readonly Value[]): Expression {
  return new Expression(texts, values);
}

export function attribute(path: string): Expression {
  return expression([path]);
}

/** True if the attribute has this value or, without a value, if it is absent. */
export function isStill(name: string, value: Value | undefined): Expression {
  return value === undefined
    ? expression`attribute_not_exists(${attribute(name)})`
    : expression`${attribute(name)} = ${value}`;
}

export function join(parts: readonly Expression[], separator: string): Expression {
  return new Expression(['', ...parts.slice(1).map(() => separator), ''], parts);
}

export function oneOf(values: readonly Value[]): Expression {
  const list = values.map((value) => expression`${value}`);
  return expression`(${join(list, ', ')})`;
}

/** Pass conditions without outer parentheses: DynamoDB rejects double ones. */
export function allOf(...conditions: readonly (Expression | undefined)[]): Expression | undefined {
  const present = conditions.filter((condition) => condition !== undefined);
  if (present.length < 2) return present[0];
  return join(
    present.map((condition) => expression`(${condition})`),
    ' AND ',
  );
}

const attributeName = /\b[a-z]\w*\b(?!\s*\()/g;

export function render(expressions: {
  readonly update?: Expression | undefined;
  readonly condition?: Expression | undefined;
  readonly key?: Expression | undefined;
  readonly projection?: Expression | undefined;
}) {
  const names: Record<string, string> = {};
  const values: Record<string, Value> = {};

  function alias(name: string): string {
    names[`#${name}`] = name;
    return `#${name}`;
  }
  function placeholder(value: Value): string {
    const name = `:value${Object.keys(values).length}`;
    values[name] = value;
    return name;
  }
  function write(part: Expression): string {
    const operands = part.values.map((value) => (value instanceof Expression ? write(value) : placeholder(value)));
    return part.texts.map((text, index) => text.replace(attributeName, alias) + (operands[index] ?? '')).join('');
  }

  const { update, condition, key, projection } = expressions;
  return {
    UpdateExpression: update && write(update),
    ConditionExpression: condition && write(condition),
    KeyConditionExpression: key && write(key),
    ProjectionExpression: projection && write(projection),
    // DynamoDB rejects empty maps.
    ExpressionAttributeNames: Object.keys(names).length > 0 ? names : undefined,
    ExpressionAttributeValues: Object.keys(values).length > 0 ? itemOf(values) : undefined,
  };
}
