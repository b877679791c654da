// @module-tag browser

import { describe, expect, test } from 'vitest';
import { phone } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();

const readMore = () => on.page.getByRole('button', { name: 'Read the whole authorization' });

const hiddenPartOfAuthorization = async () => (await authorizationBelowButton('bottom')) ?? Infinity;

function authorizationBelowButton(side: 'top' | 'bottom'): Promise<number | undefined> {
  return on.page.evaluate((edge) => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const [words, bar] = [box('.authorization'), box('.action-bar')];
    return words && bar && words[edge] - bar.top;
  }, side);
}

describe('a view', () => {
  test('of an address without a token is that of an unknown link', async () => {
    await on.visit(undefined, '/s/');
    expect(await on.heading().innerText()).toBe('We cannot find this link');
  });

  test.each(['.', ',', ')', '%20', '/', '.Thanks'])('of a link that "%s" follows is that of the link', async (rest) => {
    await on.visit(sessions.owed, `/s/the-token${rest}`);
    await on.page.getByRole('button', { name: 'Pay from your bank account' }).click();
    await on.expectView('Choose your bank');
    expect(new Set(on.api.calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer the-token']));
  });

  test('of a link that was replaced while it was open shows nothing more of the practice', async () => {
    await on.visit(sessions.owed);
    on.api.session = undefined;
    await on.page.getByRole('button', { name: 'Pay from your bank account' }).click();
    await on.expectView('We cannot find this link');
    await on.expectText(
      'look for a newer one. If it still does not work, call the practice at the number on your bill.',
    );
    expect(await on.text()).not.toMatch(/Lakeside|online banking|minutes/);
  });

  test.each([
    ['hang_up', 'We cannot reach the payment service'],
    ['gateway_429', 'The payment service is busy'],
  ] as const)('without a first answer (%s) says whom to call', async (answer, heading) => {
    on.api.answers.getSession = () => answer;
    await on.visit(sessions.owed);
    await on.expectView(heading);
    expect(await on.page.locator('footer').innerText()).toBe('Questions? Call the number on your bill.');
  });

  test('of a lost connection offers another try', async () => {
    on.api.answers.getSession = () => 'hang_up';
    await on.visit(sessions.owed);
    expect(await on.heading().innerText()).toBe('We cannot reach the payment service');
    delete on.api.answers.getSession;
    await on.page.getByRole('button', { name: 'Try again' }).click();
    await on.expectView('Pay Lakeside');
  });
});

describe('the receipt', () => {
  test('unfolds the full authorization', async () => {
    await on.visit(sessions.paid);
    expect(await on.text()).not.toContain('I still owe the amount');
    await on.page.locator('summary').click();
    const text = sessions.paid.receipt?.authorizationText;
    expect(await on.page.locator('.receipt details p').allInnerTexts()).toEqual(text?.split('\n'));
    expect(await on.page.locator('.receipt .authorization').textContent()).toBe(text);
  });
});

describe("a practice's own", () => {
  const arabic = 'عيادة البحيرة (فرع 2)';

  test('right-to-left name reorders nothing around it', async () => {
    const practice = { ...sessions.paid.practice, name: arabic };
    const { receipt } = sessions.paid;
    await on.visit({
      ...sessions.paid,
      practice,
      patient: { firstName: 'Maria', lastNameInitial: 'ع', lastName: 'عبد الله' },
      ...(receipt && { receipt: { ...receipt, practice } }),
    });
    expect(await on.text()).toContain(`Thank you. \u2068${arabic}\u2069 has received your payment.`);
    const places = on.page.locator('.practice bdi, .receipt dd, .receipt dd bdi');
    const directions = await places.evaluateAll((all) =>
      all.map((place) => [(place as HTMLElement).innerText, getComputedStyle(place).direction]),
    );
    expect(directions).toEqual(
      expect.arrayContaining([
        ['Maria عبد الله', 'ltr'],
        ['$182.50', 'ltr'],
      ]),
    );
    expect(directions.filter(([words]) => words === arabic)).toEqual([
      [arabic, 'rtl'],
      [arabic, 'rtl'],
    ]);
  });

  test.each(['light', 'dark'] as const)(
    'logo that does not load is replaced by an initial, with no white patch before (%s)',
    async (colorScheme) => {
      await on.page.emulateMedia({ colorScheme });
      const { promise: asked, resolve: fail } = Promise.withResolvers<void>();
      await on.page.route('**/logos/gone.png', (route) => asked.then(() => route.abort()));
      on.api.session = { ...sessions.owed, practice: { ...sessions.owed.practice, logoUrl: '/logos/gone.png' } };
      await on.page.goto(`${on.api.url}/s/the-token`, { waitUntil: 'commit' });
      const logo = on.page.locator('.logo');
      await logo.waitFor({ state: 'attached' });
      expect(await logo.evaluate((image) => getComputedStyle(image).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
      const before = await on.page.locator('.card').boundingBox();
      fail();
      await on.page.locator('.monogram').waitFor();
      expect(await on.page.locator('.monogram').innerText()).toBe('L');
      expect(await logo.count()).toBe(0);
      expect(await on.page.locator('.card').boundingBox()).toEqual(before);
    },
  );
});

describe('on a phone', () => {
  test.each([
    ['owed', 'Pay from your bank account'],
    ['connected', 'Authorize payment of $182.50'],
  ] as const)('the button of a session that is %s is in sight without scrolling', async (state, name) => {
    await on.visit(sessions[state]);
    const box = await on.page.getByRole('button', { name }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  });

  test('the sign-in button is in sight even below the message of a refused sign-in', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: 4 });
    await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
    await on.signIn('user_bad');
    await on.expectText('You have 4 tries left.');
    const box = await on.page.getByRole('button', { name: 'Sign in' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  });

  test('the longest names and numbers fit a screen 320 pixels wide', async () => {
    await on.page.setViewportSize({ width: 320, height: 568 });
    await on.visit({
      ...sessions.connected,
      amountCents: 99_999_999,
      invoiceId: 'I'.repeat(128),
      patient: { firstName: 'W'.repeat(100), lastNameInitial: 'M', lastName: 'M'.repeat(100) },
      practice: { ...sessions.owed.practice, name: 'W'.repeat(100) },
    });
    expect(await on.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test.each([
    'W'.repeat(100),
    'Lakeside Family and Community Dental, Orthodontic and Oral Surgery Associates of Greater Springfield',
  ])('the button is in sight on a screen 320 pixels wide below the practice name "%s"', async (name) => {
    await on.page.setViewportSize({ width: 320, height: 568 });
    await on.visit({ ...sessions.owed, practice: { ...sessions.owed.practice, name } });
    const box = await on.page.getByRole('button', { name: 'Pay from your bank account' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(568);
    expect(await on.page.locator('.practice').innerText()).toContain(name);
  });

  test('the authorization begins above the button', async () => {
    await on.visit(sessions.connected);
    expect(await authorizationBelowButton('top')).toBeLessThan(-100);
  });

  test('on a large screen, the whole authorization is readable above the button', async () => {
    await on.page.setViewportSize({ width: 1280, height: 1080 });
    await on.visit(sessions.connected);
    expect(await hiddenPartOfAuthorization()).toBeLessThanOrEqual(0);
    expect(await readMore().count()).toBe(0);
  });

  test('an authorization that does not fit has a button that scrolls to its end, and then disappears', async () => {
    await on.visit(sessions.connected);
    expect(await hiddenPartOfAuthorization()).toBeGreaterThan(0);
    const button = await on.page.getByRole('button', { name: 'Authorize payment' }).boundingBox();
    expect((button?.y ?? Infinity) + (button?.height ?? 0)).toBeLessThanOrEqual(phone.height);
    for (let taps = 0; taps < 5 && (await readMore().count()) > 0; taps++) {
      const before = await on.page.evaluate(() => window.scrollY);
      await readMore().click();
      await expect.poll(() => on.page.evaluate(() => window.scrollY), soon).toBeGreaterThan(before);
      await on.page.evaluate(() => new Promise(requestAnimationFrame));
    }
    expect(await readMore().count()).toBe(0);
    expect(await hiddenPartOfAuthorization()).toBeLessThanOrEqual(0);
  });

  test("the button has the practice's color, with legible text", async () => {
    await on.visit({ ...sessions.owed, practice: { ...sessions.owed.practice, primaryColor: '#fde047' } });
    const style = await on.page.getByRole('button', { name: 'Pay from your bank account' }).evaluate((button) => {
      const { backgroundColor, color } = getComputedStyle(button);
      return { backgroundColor, color };
    });
    expect(style).toEqual({ backgroundColor: 'rgb(253, 224, 71)', color: 'rgb(0, 0, 0)' });
  });
});
