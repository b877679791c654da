// @module-tag browser

import { describe, expect, test } from 'vitest';
import { hour } from '../../../functions/domain/time.ts';
import { paper, useDashboardOnDouble } from './dashboard-on-double.ts';
import { paidSessionId } from './payment-data.ts';
import { lakeside } from './practice-data.ts';
import { now } from './time-data.ts';

const on = useDashboardOnDouble();
const controls = 'button:visible, a.button:visible, input:visible, select:visible, legend:visible, summary:visible';

async function print(): Promise<string> {
  await on.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await on.page.emulateMedia({ media: 'print' });
  await on.page.setViewportSize(paper);
  expect(await on.page.locator(controls).count()).toBe(0);
  expect(await on.page.getByRole('navigation').first().isVisible()).toBe(false);
  expect(await on.page.locator('footer').isVisible()).toBe(false);
  expect(await on.page.evaluate(() => document.documentElement.scrollWidth)).toBe(paper.width);
  return on.page.locator('body').innerText();
}

describe('paper has no controls, and says whose it is and as of when:', () => {
  test('a list of sessions is a table that says what it leaves out', async () => {
    await on.open('/sessions?from=2026-09-01');
    try {
      await on.page.clock.setFixedTime(now + hour);
      const printed = await print();
      for (const words of [
        'Lakeside Family Dental. Printed Nov 20, 2026, 11:00 AM EST.',
        'Only: created from Sep 1, 2026',
        'The list goes on.',
      ])
        expect(printed).toContain(words);
      const row = on.page.locator('tr').nth(1);
      expect(await row.evaluate((each) => getComputedStyle(each).display)).toBe('table-row');
    } finally {
      await on.page.clock.setFixedTime(now);
    }
  });

  test('a session is for the files of the practice, with nothing for developers', async () => {
    await on.open(`/sessions/${paidSessionId}`);
    const printed = await print();
    for (const words of ['Lakeside Family Dental. Printed Nov 20, 2026, 10:00 AM EST.', 'Maria Lopez'])
      expect(printed).toContain(words);
    expect(printed).toMatch(/Paid\s+Nov 18, 2026/);
    expect(printed).not.toMatch(/webhook|technical|ses_/i);
  });

  test('a new link is a slip for the patient, without what is only for the practice', async () => {
    await on.open('/sessions/ses_01KAGPENDING0000000000000');
    await on.button('Replace link').click();
    await on.dialog().getByRole('button', { name: 'Replace link' }).click();
    await on.page.locator('.slip').waitFor({ state: 'attached' });
    const printed = await print();
    for (const words of ['$182.50', 'James O’Neill']) expect(printed).toContain(words);
    expect(printed).not.toContain('Timeline');
    expect(await on.page.locator('.patient-message').isVisible()).toBe(false);
    await on.page.locator('.slip').getByRole('img', { name: 'QR code of the payment link' }).waitFor();
  });

  test('the proof of authorization has the whole text and its hash', async () => {
    const { evidence } = on.api.practices[lakeside]!;
    await on.open(`/sessions/${paidSessionId}/authorization`);
    await on.expectText('The text is the one that was accepted');
    const printed = await print();
    for (const words of ['Rosa Lopez', evidence!.text, evidence!.authorizationId]) expect(printed).toContain(words);
  });

  test('payouts fit', async () => {
    on.api.mode = 'live';
    await on.open('/payouts?month=2026-11');
    expect(await print()).toContain('Lakeside Family Dental. Printed Nov 20, 2026, 10:00 AM EST.');
  });
});
