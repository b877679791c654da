// @module-tag browser

import { describe, expect, test } from 'vitest';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const start = Date.parse('2026-11-20T15:00:00Z');
const endingIn = (milliseconds: number) => ({ expiresAt: new Date(start + milliseconds).toISOString() });

async function visitAtStart(session: typeof sessions.owed, path?: string): Promise<void> {
  await on.stopClock(start);
  on.api.now = () => start;
  await on.visit(session, path);
}

const spoken = () => on.page.locator('.spoken').innerText();
const warning = () => on.page.locator('.warning');

describe('the time left', () => {
  test('to start is told as the day and hour when the link ends', async () => {
    await visitAtStart({ ...sessions.owed, ...endingIn(6 * day + 23 * hour) });
    expect(await on.text()).toMatch(/Pay by Nov 27, 9:00.AM\. Once you start, you'll have 30 minutes\./);
  });

  test('has Spanish words', async () => {
    await visitAtStart({ ...sessions.owed, ...endingIn(6.5 * day) }, '/s/the-token?lang=es');
    expect(await on.text()).toMatch(/Este enlace vence el 26 nov, 10:00.p\.m\.; al empezar, tendrá 30 minutos\./);
  });

  test.each([
    [2 * day - second, '1 day'],
    [day - second, '23 hours'],
    [hour, '1 hour'],
    [hour - second, '59 minutes'],
  ])('of %i ms to finish is rounded down to %s', async (left, duration) => {
    await visitAtStart({ ...sessions.opened, ...endingIn(left) });
    expect(await on.text()).toContain(`You have ${duration} left to finish.`);
  });

  test.each(['opened', 'connected'] as const)('of a session that is %s counts down', async (state) => {
    await visitAtStart({ ...sessions[state], ...endingIn(30 * minute) });
    await on.expectText('You have 30 minutes left to finish.');
    await on.pass(second);
    await on.expectText('You have 29 minutes left to finish.');
    await on.pass(minute);
    await on.expectText('You have 28 minutes left to finish.');
  });

  test.each([
    ['opened', ''],
    ['opened', '#sandbox_bank'],
    ['connected', ''],
  ] as const)(
    'of a session that is %s%s becomes a warning for the last five minutes, announced at five and at one',
    async (state, hash) => {
      await visitAtStart({ ...sessions[state], ...endingIn(6 * minute) }, `/s/the-token${hash}`);
      expect([await spoken(), await warning().count()]).toEqual(['', 0]);
      await on.page.evaluate(() => {
        const heard: string[] = [];
        Object.assign(globalThis, { heard });
        const region = document.querySelector('[role=status].spoken');
        if (region)
          new MutationObserver(() => heard.push(region.textContent ?? '')).observe(region, {
            childList: true,
            characterData: true,
            subtree: true,
          });
      });
      for (let passed = 0; passed < 5.75 * minute; passed += 15 * second) {
        await on.pass(15 * second);
        if (passed === 2 * minute)
          await expect
            .poll(() => warning().innerText(), soon)
            .toBe('You have 3 minutes left to finish. After that, ask Lakeside Family Dental for a new link.');
      }
      await expect.poll(() => warning().innerText(), soon).toContain('You have less than a minute left to finish.');
      expect(await on.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual([
        'Less than 5 minutes left to finish.',
        'Less than 1 minute left to finish.',
      ]);
    },
  );
});

test('the bar, which the warning makes higher, stops sticking at once if it would cover what is authorized', async () => {
  await visitAtStart({ ...sessions.connected, ...endingIn(6 * minute) });
  const bar = on.page.locator('.action-bar');
  await expect.poll(() => bar.getAttribute('class'), soon).toBe('action-bar sticks');
  await on.pass(minute + second);
  await expect.poll(() => warning().count(), soon).toBe(1);
  await expect.poll(() => bar.getAttribute('class'), soon).toBe('action-bar');
});

describe('"I need more time"', () => {
  const button = () => on.page.getByRole('button', { name: 'I need more time' });
  const extendable = (left: number) => ({ ...endingIn(left), extensionsLeft: 1 });

  test.each([
    ['opened', ''],
    ['opened', '#banks'],
    ['opened', '#sandbox_bank'],
    ['connected', ''],
  ] as const)(
    'of a session that is %s%s is there in the last five minutes, and says until when',
    async (state, hash) => {
      const session = { ...sessions[state], ...extendable(6 * minute) };
      on.api.answers.extendSession = () => ({ ...session, ...endingIn(36 * minute), extensionsLeft: 0 });
      await visitAtStart(session, `/s/the-token${hash}`);
      const heading = await on.heading().innerText();
      expect(await button().count()).toBe(0);
      await on.pass(minute + second);
      await expect.poll(spoken, soon).toBe('Less than 5 minutes left to finish. You can ask for more time.');
      expect(await on.page.locator('.spoken').getAttribute('role')).toBe('status');
      on.api.now = () => start + minute + second;
      await button().click();
      await expect
        .poll(() => on.page.locator(':focus').innerText(), soon)
        .toMatch(/^You now have until Nov 20, 10:36.AM\.$/);
      expect([await on.heading().innerText(), await spoken(), await button().count()]).toEqual([heading, '', 0]);
      on.api.session = { ...session, ...endingIn(36 * minute), extensionsLeft: 0 };
      await on.pass(31 * minute);
      await expect.poll(() => warning().innerText(), soon).toContain('You have 3 minutes left to finish.');
      expect([await spoken(), await button().count()]).toEqual(['Less than 5 minutes left to finish.', 0]);
      expect(on.callsOf('extendSession')).toHaveLength(1);
    },
  );

  test('keeps what was typed', async () => {
    const session = { ...sessions.opened, ...extendable(4 * minute) };
    on.api.answers.extendSession = () => ({ ...session, ...endingIn(34 * minute) });
    await visitAtStart(session, '/s/the-token#sandbox_bank');
    await on.page.getByLabel('Test user').fill('user_good');
    await button().press('Enter');
    await on.expectText('You now have until');
    expect(await on.page.getByLabel('Test user').inputValue()).toBe('user_good');
  });

  test('has Spanish words', async () => {
    const session = { ...sessions.opened, ...extendable(4 * minute) };
    on.api.answers.extendSession = () => ({ ...session, ...endingIn(34 * minute) });
    await visitAtStart(session, '/s/the-token?lang=es');
    expect(await spoken()).toBe('Quedan menos de 5 minutos para terminar. Puede pedir más tiempo.');
    await on.page.getByRole('button', { name: 'Necesito más tiempo' }).click();
    await on.expectText('Tiene hasta el 20 nov, 10:34');
  });

  test.each([
    ['none is left', 0],
    ['the practice has switched it off', undefined],
  ])('is not there if %s', async (_, extensionsLeft) => {
    await visitAtStart({
      ...sessions.opened,
      ...endingIn(4 * minute),
      ...(extensionsLeft === 0 && { extensionsLeft }),
    });
    expect(await warning().innerText()).toContain('You have 4 minutes left to finish.');
    expect([await spoken(), await button().count()]).toEqual(['Less than 5 minutes left to finish.', 0]);
  });
});

describe.each([
  ['ahead', 2 * day],
  ['behind', -2 * day],
])('on a phone whose clock is two days %s', (_, skew) => {
  test("the time left counts down by the server's clock, without a warning", async () => {
    await on.stopClock(start + skew);
    on.api.now = () => start;
    await on.visit({ ...sessions.opened, ...endingIn(29 * minute + 30 * second) });
    await on.expectText('You have 29 minutes left to finish.');
    await on.pass(minute);
    await on.expectText('You have 28 minutes left to finish.');
    expect([await spoken(), await warning().count()]).toEqual(['', 0]);
    expect(on.callsOf('getSession')).toHaveLength(1);
  });

  test("the session expires by the server's clock", async () => {
    await on.stopClock(start + skew);
    on.api.now = () => start;
    await on.visit({ ...sessions.opened, ...endingIn(2 * minute) });
    expect(await warning().innerText()).toContain('You have 2 minutes left to finish.');
    on.api.session = sessions.expired;
    await on.pass(2 * minute + second);
    await on.expectView('This link has expired');
    expect(await on.page.locator('.spoken').count()).toBe(0);
  });
});
