import { Fault } from '../domain/fault.ts';

const attempts = 5;

/** Calls `attempt`, which reads and writes, again as long as it returns undefined because of someone else's change. */
export async function untilWritten<Written>(
  what: string,
  attempt: () => Promise<Written | undefined>,
): Promise<Written> {
  for (let count = 1; count <= attempts; count += 1) {
    const written = await attempt();
    if (written !== undefined) return written;
  }
  throw new Fault(`the ${what} kept changing`);
}
