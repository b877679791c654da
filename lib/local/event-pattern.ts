import { isObject } from './json.ts';
import { SetupError } from './setup-error.ts';

export type Matcher = (event: unknown) => boolean;
type Condition = (value: unknown) => boolean;

/** Each returns undefined for an operand of another type. */
export const operators: ReadonlyMap<string, (operand: unknown) => Condition | undefined> = new Map([
  ['exists', exists],
  ['prefix', prefix],
  ['anything-but', anythingBut],
]);

function exists(operand: unknown): Condition | undefined {
  return typeof operand === 'boolean' ? (value) => (value !== undefined && !isObject(value)) === operand : undefined;
}

function prefix(operand: unknown): Condition | undefined {
  return typeof operand === 'string' ? (value) => typeof value === 'string' && value.startsWith(operand) : undefined;
}

function anythingBut(operand: unknown): Condition | undefined {
  return Array.isArray(operand) ? (value) => value !== undefined && !operand.includes(value) : undefined;
}

/** Throws a SetupError that names `where` if a pattern is unsupported. */
export function compilePattern(pattern: unknown, where: string): Matcher {
  if (!isObject(pattern)) throw new SetupError(`${where}: an event pattern must be an object.`);
  const fields = Object.entries(pattern).map(([key, inner]) => {
    if (Array.isArray(inner))
      return field(
        key,
        inner.map((rule) => condition(rule, where)),
      );
    const nested = compilePattern(inner, where);
    return (event: unknown) => nested(isObject(event) ? event[key] : undefined);
  });
  return (event) => fields.every((matches) => matches(event));
}

function field(key: string, conditions: readonly Condition[]): Matcher {
  return (event) => {
    const value = isObject(event) ? event[key] : undefined;
    const values = Array.isArray(value) && value.length > 0 ? value : [value];
    return conditions.some((holds) => values.some(holds));
  };
}

function condition(rule: unknown, where: string): Condition {
  if (rule === null || typeof rule === 'string' || typeof rule === 'number' || typeof rule === 'boolean')
    return (value) => value === rule;
  const [entry, ...others] = isObject(rule) ? Object.entries(rule) : [];
  if (entry === undefined || others.length > 0) throw unsupported(rule, where);
  const [operator, operand] = entry;
  const built = operators.get(operator)?.(operand);
  if (built === undefined) throw unsupported(rule, where);
  return built;
}

function unsupported(rule: unknown, where: string): SetupError {
  return new SetupError(
    `${where}: the local stack does not support the pattern ${JSON.stringify(rule)}. Add it to lib/local/event-pattern.ts.`,
  );
}
