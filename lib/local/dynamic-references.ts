import { randomBytes } from 'node:crypto';
import { isObject } from './json.ts';

const reference = /\{\{resolve:secretsmanager:(.+?):SecretString:::\}\}/g;

/** Stands in for Secrets Manager's generated secrets, by name. They change at each start. */
export function generatedSecrets(): (name: string) => string {
  const texts = new Map<string, string>();
  return (name) => {
    const text = texts.get(name) ?? randomBytes(24).toString('hex');
    texts.set(name, text);
    return text;
  };
}

/** Resolves dynamic references as CloudFormation does. */
export function withSecrets(value: unknown, textOf: (name: string) => string): unknown {
  if (typeof value === 'string') return value.replaceAll(reference, (_, name: string) => textOf(name));
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, textOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withSecrets(inner, textOf)]));
}
