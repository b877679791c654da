import { Fault } from '../../domain/fault.ts';
import { signIn, signInLifetime, type SignIn } from '../../domain/team/sign-in.ts';
import { toEpochSeconds } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { insert, removeIf } from '../rows.ts';

export async function insertSignIn(database: Database, begun: SignIn): Promise<void> {
  const row = { ...begun, timeToLive: toEpochSeconds(Date.parse(begun.createdAt) + signInLifetime) };
  if (!(await insert(database, 'signIns', row, 'signInId'))) throw new Fault('a new sign-in id was already taken');
}

/** Deletes a sign-in and returns it, so it works once. A wrong state leaves the row alone: it belongs to another tab. */
export async function deleteSignIn(
  database: Database,
  { signInId, state }: Pick<SignIn, 'signInId' | 'state'>,
): Promise<SignIn | undefined> {
  return removeIf(database, 'signIns', { signInId }, expression`state = ${state}`, signIn);
}
