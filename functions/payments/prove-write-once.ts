import type { ReadingTools } from '../store/database.ts';
import { forbiddenWrites } from '../store/payments/forbidden-writes.ts';

interface ProofTools extends ReadingTools {
  /** Production only. */
  readonly putLockedCopy: ((now: number) => Promise<() => Promise<unknown>>) | undefined;
}

/** Tries what nobody may do to evidence, and returns for each attempt whether AWS refused it. */
export async function proveWriteOnce(
  { database, putLockedCopy }: ProofTools,
  now: number,
): Promise<Record<string, boolean>> {
  const deleteLockedCopy = await putLockedCopy?.(now);
  const attempts = {
    ...forbiddenWrites(database),
    ...(deleteLockedCopy && { 'DeleteObject of a locked version': deleteLockedCopy }),
  };
  const refused: Record<string, boolean> = {};
  for (const [name, attempt] of Object.entries(attempts)) refused[name] = await isRefused(attempt);
  return refused;
}

/** Throws if it failed for another reason, such as a caller who may not write at all: that proves nothing. */
async function isRefused(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: '', message: '' };
    if (name === 'AccessDenied' || (name === 'AccessDeniedException' && message.includes('explicit deny'))) return true;
    if (/^(ConditionalCheckFailed|TransactionCanceled)Exception$/.test(name)) return false;
    throw error;
  }
}
