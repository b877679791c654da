// @module-tag browser

import { describe, expect, test } from 'vitest';
import { painted, setTextSize } from './fit.ts';
import { phone } from './journey.ts';
import { useViewsOnDouble } from './views-on-double.ts';
import { openView, pageViews } from './views-table.ts';

const { on, devtools } = useViewsOnDouble();

const windows = [{ width: 320, height: 568 }, { width: 360, height: 640 }, phone, { width: 414, height: 896 }] as const;
const named = (name: string) => pageViews.find((view) => view.name === name) ?? expect.fail(name);

/** Which facts, and which part of the start of the text, are under the bar before any scrolling. */
const covered = () =>
  on.page.evaluate(() => {
    window.scrollTo(0, 0);
    const bar = document.querySelector('.action-bar');
    if (!bar?.classList.contains('sticks')) return 'does not stick';
    const { top } = bar.getBoundingClientRect();
    const text = document.querySelector('.authorization p');
    const textTop = text?.getBoundingClientRect().top ?? Number.NaN;
    const hidden = [...document.querySelectorAll('.facts > div, .legend')]
      .filter((fact) => fact.getBoundingClientRect().bottom > top)
      .map((fact) => fact.textContent);
    return textTop + 20 <= top ? hidden : [...hidden, 'the text'];
  });

// What fits in Spanish, whose words take more room, fits in English, so one view is enough.
describe('before anything is scrolled', () => {
  test.each([
    ['en', 'review'],
    ['es', 'review'],
    ['es', 'ending-review'],
    ['es', 'review-long-names'],
  ] as const)(
    'in %s, the bar of %s covers neither who is paid, from where, when, nor where the text begins',
    async (language, name) => {
      await openView(on.page, on.api, named(name), language);
      const found: Record<string, unknown> = {};
      for (const percent of [100, 150, 175, 200]) {
        await setTextSize(devtools(), (16 * percent) / 100);
        for (const size of windows) {
          await on.page.setViewportSize(size);
          await painted(on.page);
          found[`${size.width} x ${size.height}, ${percent} %`] = await covered();
        }
      }
      await setTextSize(devtools(), 16);
      expect(Object.entries(found).filter(([, each]) => each !== 'does not stick' && String(each) !== '')).toEqual([]);
      expect(found['414 x 896, 100 %']).toEqual([]);
      expect(found['320 x 568, 200 %']).toBe('does not stick');
    },
  );
});
