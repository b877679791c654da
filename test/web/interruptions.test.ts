import type { CDPSession } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { mainAction, readPage, typeCredentials } from './journey.ts';
import { openPage } from './open-page.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { languages } from './views-table.ts';

const on = usePageOnDouble();

/** Plays a server on which every action succeeds. */
function allGoesWell(): void {
  on.api.answers.openSession = () => (on.api.session?.openedAt === undefined ? sessions.opened : on.api.session);
  on.api.answers.connectBank = () => sessions.connected;
  on.api.answers.authorizePayment = () => sessions.submitted;
}

/** Goes the journey up to a step. */
const steps = {
  owed: () => on.visit(sessions.owed),
  async signIn() {
    await steps.owed();
    await mainAction(on.page).click();
    await on.expectView('Sign in to your bank');
  },
  async review() {
    await steps.signIn();
    await typeCredentials(on.page, 'user_good', 'test-password');
    await mainAction(on.page).click();
    await on.expectView('Review and authorize');
  },
  async submitted() {
    await steps.review();
    await mainAction(on.page).click();
    await on.expectView('Payment submitted');
  },
};

describe('going back in the browser', () => {
  test('from the sign-in leads to what is owed, and forward again to the sign-in', async () => {
    allGoesWell();
    await steps.signIn();
    await on.page.goBack();
    await on.expectView('asks you to pay');
    await on.page.goForward();
    await on.expectView('Sign in to your bank');
    expect(await on.page.locator('#password').inputValue()).toBe('');
  });

  test.each([
    ['review', 'Review and authorize'],
    ['submitted', 'Payment submitted'],
  ] as const)(
    'from %s leaves the page at once, and leads to no step that is over when one comes back',
    async (step, heading) => {
      allGoesWell();
      await on.page.goto(`${on.api.url}/favicon.ico`);
      await steps[step]();
      await on.page.goBack();
      await expect.poll(() => on.page.url(), soon).toContain('/favicon.ico');
      for (const presses of [1, 2]) {
        await on.page.goForward();
        await on.expectView(heading);
        expect(await on.page.locator('#password').count(), `after ${presses}`).toBe(0);
      }
      expect(on.callsOf('authorizePayment').length).toBe(step === 'submitted' ? 1 : 0);
    },
  );

  test('from the sign-in to another account leads to the review', async () => {
    await on.visit(sessions.connected);
    await on.page.getByRole('button', { name: 'Use another account' }).click();
    await on.expectView('Sign in to your bank');
    await on.page.reload();
    await on.expectView('Sign in to your bank');
    await on.page.goBack();
    await on.expectView('Review and authorize');
  });

  test('from another site, hours later, shows how the session stands now', async () => {
    allGoesWell();
    await steps.submitted();
    await on.page.goto('about:blank');
    on.api.session = sessions.returned;
    await on.page.goBack();
    await expect.poll(() => on.page.locator('h1').innerText(), soon).toBe('Your bank took this payment back');
  });
});

describe('a reload', () => {
  test.each([
    ['owed', 'asks you to pay'],
    ['signIn', 'Sign in to your bank'],
    ['review', 'Review and authorize'],
    ['submitted', 'Payment submitted'],
  ] as const)('at %s shows the same step, and sends nothing again', async (step, heading) => {
    allGoesWell();
    await steps[step]();
    const acted = () =>
      on.api.calls.filter(({ route }) => route === 'connectBank' || route === 'authorizePayment').length;
    const before = acted();
    await on.page.reload();
    await on.expectView(heading);
    expect(acted()).toBe(before);
  });

  test('keeps the language that was chosen, at the sign-in and after it', async () => {
    await on.visit(sessions.opened, '/s/the-token?lang=es#bank');
    const spanish = await readPage(on.page);
    expect(spanish).toMatch(/usuario/i);
    await on.page.reload();
    await on.heading().waitFor();
    expect(await readPage(on.page)).toBe(spanish);
    expect(on.page.url()).toMatch(/\?lang=es#bank$/);
    on.api.answers.connectBank = () => sessions.connected;
    await typeCredentials(on.page, 'user_good', 'test-password');
    await mainAction(on.page).click();
    await on.page.locator('.authorization').waitFor();
    await on.page.reload();
    await on.heading().waitFor();
    expect(on.page.url()).toMatch(/\/s\/the-token\?lang=es$/);
    expect(await on.page.locator('html').getAttribute('lang')).toBe('es');
  });

  test('while the payment is on its way does not send it a second time', async () => {
    let taken = false;
    on.api.answers.authorizePayment = async () => {
      taken = true;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return sessions.submitted;
    };
    on.api.answers.getSession = () => (taken ? sessions.submitted : sessions.connected);
    await on.visit(sessions.connected);
    await mainAction(on.page).click();
    await expect.poll(() => taken, soon).toBe(true);
    await on.page.reload();
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });
});

describe('a lost connection', () => {
  afterEach(() => on.page.context().setOffline(false));

  test.each(languages)(
    'is said as such when the page loads, and the page comes back by itself (%s)',
    async (language) => {
      on.api.session = sessions.opened;
      // The page itself has come through, what it asks for does not.
      await on.page.route('**/api/patient/session', async (route) => {
        await on.page.context().setOffline(true);
        await route.abort('internetdisconnected');
      });
      await on.page.goto(`${on.api.url}/s/the-token?lang=${language}`);
      await on.heading().waitFor();
      expect(await on.page.title()).toMatch(language === 'en' ? /offline/ : /conexión/);
      expect(await on.page.locator('.amount').count()).toBe(0);
      await on.page.unroute('**/api/patient/session');
      await on.page.context().setOffline(false);
      await on.page.locator('.amount').waitFor();
    },
  );

  test.each(['owed', 'opened', 'connected', 'submitted', 'paid'] as const)(
    'at %s is said, and once it is back the page is where it was, without a reload',
    async (state) => {
      await on.visit(sessions[state]);
      const heading = await on.heading().innerText();
      await on.page.evaluate(() => Object.assign(globalThis, { notReloaded: true }));
      await on.page.context().setOffline(true);
      await on.expectText('offline');
      await on.page.context().setOffline(false);
      await expect.poll(() => readPage(on.page), soon).not.toContain('offline');
      expect(await on.page.locator('h1').innerText()).toBe(heading);
      expect(await on.page.evaluate(() => 'notReloaded' in globalThis)).toBe(true);
    },
  );

  test('while the patient types keeps what was typed', async () => {
    await on.visit(sessions.opened, '/s/the-token#bank');
    await typeCredentials(on.page, 'user_good', 'half-a-pass');
    await on.page.context().setOffline(true);
    await on.expectText('offline');
    await on.page.context().setOffline(false);
    await on.page.locator('#username').waitFor();
    expect(await on.page.locator('#username').inputValue()).toBe('user_good');
  });

  test('when the payment is authorized sends it once at most, and shows what became of it', async () => {
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.visit(sessions.connected);
    // The request leaves, the answer never comes: a phone in a lift.
    await on.page.route('**/payment', async (route) => {
      await route.fetch();
      await on.page.context().setOffline(true);
      await route.abort('internetdisconnected');
    });
    await mainAction(on.page).click();
    await expect.poll(() => on.callsOf('authorizePayment').length, soon).toBe(1);
    await on.page.waitForTimeout(500);
    await on.page.context().setOffline(false);
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });

  test('does not let a payment be authorized that cannot be sent', async () => {
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.visit(sessions.connected);
    await on.page.context().setOffline(true);
    await on.expectText('offline');
    const action = mainAction(on.page);
    await on.page.waitForTimeout(1_100);
    if ((await action.count()) > 0) await action.dispatchEvent('click');
    await on.page.waitForTimeout(300);
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
    await on.page.context().setOffline(false);
    await on.expectView('Review and authorize');
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
  });
});

describe('on a slow network', () => {
  /** The rate of Chrome's own preset for slow 3G, and as much delay as lets one look in between. */
  const slow3g = { offline: false, latency: 600, downloadThroughput: 50_000, uploadThroughput: 50_000 };

  async function slowPage() {
    const opened = await openPage(on.browser);
    const devtools: CDPSession = await opened.page.context().newCDPSession(opened.page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slow3g);
    return opened;
  }

  test.each(languages)('the page can be read before its script is there (%s)', async (language) => {
    on.api.session = sessions.owed;
    const { page, close } = await slowPage();
    let scriptArrived = false;
    page.on('response', (response) => void (scriptArrived ||= response.url().endsWith('.js')));
    await page.goto(`${on.api.url}/s/the-token?lang=${language}`, { waitUntil: 'commit' });
    await page.locator('h1').waitFor();
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(await readPage(page)).toContain(language === 'en' ? 'Loading' : 'Cargando');
    expect(scriptArrived).toBe(false);
    await page.locator('.amount').waitFor();
    await close();
  });

  test('the first tap counts, and only once, though the answer takes seconds', async () => {
    allGoesWell();
    on.api.session = sessions.connected;
    const { page, close } = await slowPage();
    await page.goto(`${on.api.url}/s/the-token`);
    await mainAction(page).click();
    await mainAction(page).click({ force: true });
    await mainAction(page)
      .click({ force: true, noWaitAfter: true })
      .catch(() => {});
    await page.locator('.receipt').waitFor();
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
    await close();
  });
});

describe('nothing jumps under the finger', () => {
  /** Counts how far what is on the screen has moved by itself; what follows a tap or a key at once is not counted. */
  const countShifts = () => {
    const shifts: string[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node?: Element }[];
      })[]) {
        if (!entry.hadRecentInput)
          shifts.push(
            `${entry.value.toFixed(4)} by ${entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className}`).join()}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  };
  const shiftsOf = (page: typeof on.page) =>
    page.evaluate(
      () =>
        new Promise<string[]>((resolve) =>
          setTimeout(() => resolve((globalThis as unknown as { shifts: string[] }).shifts), 200),
        ),
    );

  test('while the page waits on a slow network, and when the answer comes', async () => {
    await on.page.addInitScript(countShifts);
    on.api.answers.getSession = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return sessions.owed;
    };
    await on.visit(sessions.owed);
    await on.page.waitForTimeout(300);
    expect(await shiftsOf(on.page)).toEqual([]);
  });

  test('when a payment comes to its end', async () => {
    await on.page.addInitScript(countShifts);
    await on.visit(sessions.submitted);
    on.api.session = sessions.paid;
    await on.expectView('Paid');
    expect(await on.page.evaluate(() => window.scrollY)).toBe(0);
  });
});
