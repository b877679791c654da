import { readdir, readFile } from 'node:fs/promises';

/** The CPU time of a process and its descendants, in milliseconds. A tick is 10 ms. */
export async function usedCpu(root = process.pid): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(
    ids.map(async (id) => {
      const fields = (await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ') ?? [];
      return { id, parent: Number(fields[1]), ticks: Number(fields[11] ?? 0) + Number(fields[12] ?? 0) };
    }),
  );
  const below = (parent: number): number =>
    all.filter((each) => each.parent === parent).reduce((sum, { id, ticks }) => sum + ticks + below(id), 0);
  return 10 * (below(root) + (all.find(({ id }) => id === root)?.ticks ?? 0));
}
