import type { Database } from '../store/database.ts';
import { forbiddenWrites } from '../store/payments/forbidden-writes.ts';

interface ProofTools {
  readonly database: Database<'authorizations'>;
  /** Production only. */
  readonly deleteLockedCopy: ((now: number) => Promise<void>) | undefined;
}

/** Tries what nobody may do to evidence, and returns for each attempt whether AWS refused it. */
export async function proveWriteOnce(
  { database, deleteLockedCopy }: ProofTools,
  now: number,
): Promise<Record<string, boolean>> {
  const attempts = {
    ...forbiddenWrites(database),
    ...(deleteLockedCopy && { 'DeleteObject of a locked version': () => deleteLockedCopy(now) }),
  };
  const refused: Record<string, boolean> = {};
  for (const [name, attempt] of Object.entries(attempts)) refused[name] = await isRefused(attempt);
  return refused;
}

/** Throws if it failed for another reason. */
async function isRefused(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name.startsWith('AccessDenied')) return true;
    if (/^(ConditionalCheckFailed|TransactionCanceled)Exception$/.test(name)) return false;
    throw error;
  }
}
