import { isObject } from './json.ts';
import { SetupError } from './setup-error.ts';

export type Matcher = (event: unknown) => boolean;
type Condition = (value: unknown) => boolean;

/** Throws a SetupError that names `where` if a pattern is unsupported. */
export function compilePattern(pattern: unknown, where: string): Matcher {
  if (!isObject(pattern)) throw new SetupError(`${where}: an event pattern must be an object.`);
  const fields = Object.entries(pattern).map(([key, inner]) => {
    if (key === '$or') return anyOf(inner, where);
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

function anyOf(alternatives: unknown, where: string): Matcher {
  if (!Array.isArray(alternatives)) throw new SetupError(`${where}: $or needs a list of patterns.`);
  const matchers = alternatives.map((alternative) => compilePattern(alternative, where));
  return (event) => matchers.some((matches) => matches(event));
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

  if (operator === 'exists' && typeof operand === 'boolean')
    return (value) => (value !== undefined && !isObject(value)) === operand;
  if (operator === 'prefix' && typeof operand === 'string')
    return (value) => typeof value === 'string' && value.startsWith(operand);
  if (operator === 'suffix' && typeof operand === 'string')
    return (value) => typeof value === 'string' && value.endsWith(operand);
  if (operator === 'equals-ignore-case' && typeof operand === 'string') {
    return (value) => typeof value === 'string' && value.toLowerCase() === operand.toLowerCase();
  }
  if (operator === 'anything-but') {
    const excluded = (Array.isArray(operand) ? operand : [operand]).map((item) => condition(item, where));
    return (value) => value !== undefined && !excluded.some((holds) => holds(value));
  }
  if (operator === 'numeric' && Array.isArray(operand)) return numeric(operand, rule, where);
  throw unsupported(rule, where);
}

function numeric(operand: readonly unknown[], rule: unknown, where: string): Condition {
  const bounds: Condition[] = [];
  for (let index = 0; index < operand.length; index += 2) {
    const [sign, bound] = [operand[index], operand[index + 1]];
    if (typeof sign !== 'string' || typeof bound !== 'number') throw unsupported(rule, where);
    bounds.push((value) => typeof value === 'number' && compare(value, sign, bound, rule, where));
    compare(0, sign, bound, rule, where);
  }
  return (value) => bounds.every((holds) => holds(value));
}

function compare(value: number, sign: string, bound: number, rule: unknown, where: string): boolean {
  switch (sign) {
    case '=':
      return value === bound;
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
    case '>':
      return value > bound;
    case '>=':
      return value >= bound;
    default:
      throw unsupported(rule, where);
  }
}

function unsupported(rule: unknown, where: string): SetupError {
  return new SetupError(
    `${where}: the local stack does not support the pattern ${JSON.stringify(rule)}. Add it to lib/local/event-pattern.ts.`,
  );
}
