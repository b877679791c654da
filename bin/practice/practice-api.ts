import * as z from 'zod/mini';
import { readDemoPractice } from './files.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

const keyVariable = 'PAYMENTS_API_KEY';
const problem = z.object({ detail: z.string() });

/** Calls the practice API as a practice would. Throws an OperatorError with what a problem says. */
export async function callPracticeApi(
  { apiUrl, dataDirectory }: OperatedStack,
  path: string,
  body: object,
): Promise<object> {
  const demo = dataDirectory === undefined ? undefined : await readDemoPractice(dataDirectory);
  const key = process.env[keyVariable] ?? demo?.apiKey;
  if (key === undefined) throw new OperatorError(`Set ${keyVariable} to an API key of the practice.`);
  const response = await fetch(`${apiUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return z.parse(z.looseObject({}), answer);
  const { data } = z.safeParse(problem, answer);
  throw new OperatorError(data?.detail ?? `The API answered ${response.status}. Try again.`);
}
