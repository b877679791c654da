import * as z from 'zod';
import { flag, inert, tags, text, wholeNumber } from './property-schema.ts';
import type { AwsAnswer } from './substitutes.ts';
import type { Resource } from './template.ts';

export const secretProperties = z.strictObject({
  Name: text,
  SecretString: text,
  GenerateSecretString: z.strictObject({ ExcludePunctuation: flag, PasswordLength: wholeNumber }).optional(),
  Description: inert('for readers'),
  KmsKeyId: inert('a laptop encrypts its own disk'),
  Tags: tags,
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
