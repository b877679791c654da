// @module-tag browser

import { describe, expect, onTestFinished, test } from 'vitest';
import { chooseBank, connectBank, mainAction, openLink, openPage } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { languages } from './views-table.ts';

const on = usePageOnDouble();
/** Milliseconds before the page accepts a new authorization. */
const reading = 1_100;

function allGoesWell(): void {
  on.api.answers.openSession = () => (on.api.session?.openedAt === undefined ? sessions.opened : on.api.session);
  on.api.answers.connectBank = () => sessions.connected;
  on.api.answers.authorizePayment = () => sessions.submitted;
}

const steps = {
  async review() {
    await on.visit(sessions.owed);
    await connectBank(on.page, 'user_good');
    await on.expectView('Review and authorize');
  },
  async submitted() {
    await steps.review();
    await on.pass(reading);
    await mainAction(on.page).click();
    await on.expectView('Payment submitted');
  },
};

describe('going back in the browser', () => {
  test('from the sign-in leads to the amount due, and forward again to the sign-in', async () => {
    await on.visit(sessions.opened);
    await mainAction(on.page).click();
    await chooseBank(on.page);
    await on.expectView('Sign in to Sandbox Bank');
    await on.page.goBack();
    await on.expectView('Pay Lakeside');
    await on.page.goForward();
    await on.expectView('Sign in to Sandbox Bank');
    expect(await on.page.locator('#test-word').inputValue()).toBe('');
  });

  test.each([
    ['review', 'Review and authorize'],
    ['submitted', 'Payment submitted'],
  ] as const)('from %s leaves the page, and coming back leads to no earlier step', async (step, heading) => {
    allGoesWell();
    await on.stopClock();
    await on.page.goto(`${on.api.url}/favicon.ico`);
    await steps[step]();
    await on.page.goBack();
    await expect.poll(() => on.page.url(), soon).toContain('/favicon.ico');
    for (const presses of [1, 2]) {
      await on.page.goForward();
      await on.expectView(heading);
      expect(await on.page.locator('#test-word').count(), `after ${presses}`).toBe(0);
    }
    expect(on.callsOf('authorizePayment').length).toBe(step === 'submitted' ? 1 : 0);
  });

  test('from the sign-in to another account leads to the review', async () => {
    await on.visit(sessions.connected);
    await on.page.getByRole('button', { name: 'Use another account' }).click();
    await chooseBank(on.page);
    await on.expectView('Sign in to Sandbox Bank');
    await on.page.reload();
    await on.expectView('Sign in to Sandbox Bank');
    await on.page.goBack();
    await on.expectView('Review and authorize');
  });

  test('from another site, hours later, shows the session as it is now', async () => {
    await on.visit(sessions.submitted);
    await on.page.goto('about:blank');
    on.api.session = sessions.returned;
    await on.page.goBack();
    await on.expectView('Your bank took this payment back');
  });
});

test('a reload while the payment is sent does not send it again', async () => {
  const { promise: reloaded, resolve: reload } = Promise.withResolvers<void>();
  const { promise: sent, resolve: send } = Promise.withResolvers<void>();
  on.api.answers.authorizePayment = async () => {
    on.api.session = sessions.submitted;
    send();
    await reloaded;
    return sessions.submitted;
  };
  await on.stopClock();
  await on.visit(sessions.connected);
  await on.pass(reading);
  await mainAction(on.page).click();
  await sent;
  await on.page.reload();
  await on.expectView('Payment submitted');
  reload();
  expect(on.callsOf('authorizePayment')).toHaveLength(1);
});

test('a payment that was authorized is sent even if the tab is closed before there is a connection', async () => {
  const own = await openPage(on.browser);
  onTestFinished(() => own.close());
  on.api.session = sessions.connected;
  await own.page.clock.install();
  await openLink(own.page, `${on.api.url}/s/the-token`);
  await own.page.clock.runFor(reading);
  // A browser has six connections to a host, so the next request waits.
  const loaded = on.api.calls.length;
  on.api.answers.getSession = () => new Promise(() => {});
  await own.page.evaluate(() => {
    for (let each = 0; each < 6; each++) void fetch('/api/patient/session', { cache: 'no-store' }).catch(() => {});
  });
  await expect.poll(() => on.api.calls.length, soon).toBe(loaded + 6);
  await mainAction(own.page).click();
  await expect.poll(() => mainAction(own.page).getAttribute('aria-disabled'), soon).toBe('true');
  expect(on.callsOf('authorizePayment')).toHaveLength(0);
  await own.page.close();
  await expect.poll(() => on.callsOf('authorizePayment'), soon).toHaveLength(1);
});

describe('on a slow network', () => {
  test.each(languages)('the page can be read before its main script is there (%s)', async (language) => {
    const { promise: arrived, resolve: letArrive } = Promise.withResolvers<void>();
    on.api.pause = { before: '<script>window.sentAhead', until: arrived };
    on.api.session = sessions.owed;
    await on.page.goto(`${on.api.url}/s/the-token?lang=${language}`, { waitUntil: 'commit' });
    await on.expectText(language === 'en' ? 'Loading' : 'Cargando');
    expect(await on.page.locator('h1').isVisible()).toBe(true);
    letArrive();
    await on.page.locator('.amount').waitFor();
  });

  test('the session is asked for before the rest of the document is there, and only once', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    on.api.pause = { before: '</head>', until: asked };
    on.api.answers.getSession = () => {
      ask();
      return sessions.owed;
    };
    await on.page.goto(`${on.api.url}/s/the-token`);
    await on.expectView('$182.50');
    expect(on.callsOf('getSession')).toMatchObject([{ authorization: 'Bearer the-token', language: 'en' }]);
  });

  test('the first tap counts, and only once, though the answer takes long', async () => {
    const { promise: tapped, resolve: answer } = Promise.withResolvers<void>();
    on.api.answers.authorizePayment = () => tapped.then(() => sessions.submitted);
    await on.stopClock();
    await on.visit(sessions.connected);
    await on.pass(reading);
    await mainAction(on.page).dblclick();
    await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('true');
    await mainAction(on.page).click({ force: true });
    answer();
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });
});
