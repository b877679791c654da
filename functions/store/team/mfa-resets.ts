import * as z from 'zod/mini';
import type { Database } from '../database.ts';
import { get, insert, remove } from '../rows.ts';

type Members = Database<'members'>;

/** Resets are stored in the members table, under an ID that no practice has. */
const practiceId = 'mfa_reset';
const mfaReset = z.object({ userId: z.string(), oldSubject: z.string() });

function keyOf(email: string) {
  return { practiceId, userId: email.toLowerCase() };
}

/** The old subject of a reset in progress. */
export async function oldSubjectOfReset(database: Members, email: string): Promise<string | undefined> {
  return (await get(database, 'members', keyOf(email), mfaReset))?.oldSubject;
}

/** False if another reset has begun. */
export async function beginMfaReset(database: Members, email: string, oldSubject: string): Promise<boolean> {
  return insert(database, 'members', { ...keyOf(email), oldSubject }, 'userId');
}

export async function endMfaReset(database: Members, email: string): Promise<void> {
  await remove(database, 'members', keyOf(email));
}
