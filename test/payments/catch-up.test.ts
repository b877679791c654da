import { describe, expect, it } from 'vitest';
import type { Progress } from '../../functions/domain/payments/reconciliation.ts';
import { catchUp } from '../../functions/payments/catch-up.ts';
import type { ListPage } from '../../functions/processors/processor.ts';

const [monday, tuesday, wednesday] = ['2026-11-16', '2026-11-17', '2026-11-18'].map((day) => `${day}T00:00:00.000Z`);

/** A list of three pages in each period. */
function aList({ failsAt }: { failsAt?: string } = {}) {
  const read: ListPage[] = [];
  let saved: Progress = { from: monday! };
  return {
    read,
    saved: () => saved,
    run: (until: string, progress: Progress = saved, clock = () => 0) =>
      catchUp(
        progress,
        { until, clock, deadline: 100 },
        async (page) => {
          if (failsAt !== undefined && page.after === failsAt) throw new Error('no answer');
          read.push(page);
          return { none: 'a', a: 'b', b: undefined }[page.after ?? 'none'];
        },
        async (progress) => void (saved = progress),
      ),
  };
}

describe('catching up with a list', () => {
  it('reads all pages of a period and remembers its end', async () => {
    const list = aList();
    expect(await list.run(tuesday!)).toEqual({ from: tuesday });
    expect(list.saved()).toEqual({ from: tuesday });
    expect(list.read.map(({ after }) => after)).toEqual([undefined, 'a', 'b']);
  });

  it('continues after the last page that was read, then reads newer pages', async () => {
    const list = aList({ failsAt: 'b' });
    await expect(list.run(tuesday!)).rejects.toThrow('no answer');
    const next = aList();
    await next.run(wednesday!, list.saved());
    expect(next.read).toEqual([
      { from: monday, to: tuesday, after: 'b' },
      { from: tuesday, to: wednesday, after: undefined },
      { from: tuesday, to: wednesday, after: 'a' },
      { from: tuesday, to: wednesday, after: 'b' },
    ]);
  });

  it('stops at the deadline and says what is left', async () => {
    const list = aList();
    let time = 0;
    expect(await list.run(tuesday!, undefined, () => (time += 60))).toEqual({ from: monday, to: tuesday, after: 'a' });
  });
});
