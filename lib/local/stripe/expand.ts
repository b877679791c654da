import { isObject } from '../json.ts';
import { invalid } from './errors.ts';
import type { Owner, State } from './state.ts';

/** Replaces the IDs at the given paths with their objects, as `expand` asks. */
export function expand(state: State, owner: Owner, object: object, paths: readonly string[]): object {
  return paths.reduce<object>((expanded, path) => expandPath(state, owner, expanded, path.split('.')), object);
}

function expandPath(state: State, owner: Owner, object: object, [key = '', ...rest]: readonly string[]): object {
  const fields: Record<string, unknown> = { ...object };
  const value = fields[key];
  if (value === null) return object;
  fields[key] = expandValue(state, owner, value, key, rest);
  return fields;
}

function expandValue(state: State, owner: Owner, value: unknown, key: string, rest: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => expandValue(state, owner, each, key, rest));
  const found = typeof value === 'string' ? state.findAny(owner, value) : value;
  if (!isObject(found))
    throw invalid(`This property cannot be expanded (${key}).`, { param: 'expand', code: 'parameter_invalid' });
  return rest.length === 0 ? found : expandPath(state, owner, found, rest);
}
