import * as z from 'zod/mini';
import type { Practice } from '../../functions/domain/practice.ts';
import { getPractice } from '../../functions/store/practices.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

// Options are read as they are typed, `--link-lifetime-days 7` being `link-lifetime-days`.

export const text = z.string().check(z.minLength(1), z.maxLength(200));

export function wholeNumber(minimum: number, maximum: number) {
  return z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/)),
    z.pipe(z.transform(Number), z.int().check(z.minimum(minimum), z.maximum(maximum))),
  );
}

/** Some of these values, at least one, with commas between. */
export function listOf<const Values extends readonly string[]>(values: Values) {
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((typed) => typed.split(',').map((item) => item.trim())),
    ),
    z.array(z.enum(values)).check(z.minLength(1)),
  );
}

/** The options of a command that needs to know the practice and nothing else. */
export const practiceOptions = z.strictObject({ practice: text });
/** The options of a command that needs to know the endpoint of a practice and nothing else. */
export const endpointOptions = z.extend(practiceOptions, { endpoint: text });
export type EndpointOptions = z.output<typeof endpointOptions>;

/** Finds a practice; throws where there is none with this id. */
export async function requirePractice({ database }: OperatedStack, practiceId: string): Promise<Practice> {
  const found = await getPractice(database, practiceId);
  if (!found) throw new OperatorError('There is no practice with this id.');
  return found;
}
