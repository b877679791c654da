import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { flag, inert, text, wholeNumber } from './property-schema.ts';
import type { AwsAnswer } from './sign-in.ts';
import type { Resource } from './template.ts';
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

export const secretProperties = z.strictObject({
  SecretString: text,
  GenerateSecretString: z.strictObject({ ExcludePunctuation: flag, PasswordLength: wholeNumber }).optional(),
  Description: inert('for readers'),
});

interface Secret extends Resource<z.output<typeof secretProperties>> {
  readonly text: string;
}

const secretRequest = z.object({ SecretId: z.string() });

/** Implements Secrets Manager's `GetSecretValue`. `others` are secrets that are not in the template. */
export function getSecretValue(
  secrets: readonly Secret[],
  others: Readonly<Record<string, string>>,
  body: unknown,
): AwsAnswer {
  const { data: request } = secretRequest.safeParse(body);
  const [name, text] = Object.entries(others).find(([other]) => other === request?.SecretId) ?? [];
  if (name !== undefined) return { Name: name, SecretString: text };
  const secret = secrets.find(({ name }) => name === request?.SecretId);
  return secret ? { Name: secret.name, SecretString: secret.text } : { error: 'ResourceNotFoundException' };
}
