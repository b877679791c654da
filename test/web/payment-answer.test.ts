import { beforeEach, describe, expect, test } from 'vitest';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const authorize = () => on.page.locator('.primary');
const notice = () => on.page.getByRole('alert').innerText();
const checking = 'We could not confirm your payment. Checking…';

/** Lets time pass on the page, a second at a time, until it has asked this often again. */
async function passChecks(checks: number): Promise<void> {
  const before = on.callsOf('getSession').length;
  await passTimeUntil(() => on.callsOf('getSession').length >= before + checks);
}

/** Seconds of the page's clock that pass until then. */
async function passTimeUntil(reached: () => boolean | Promise<boolean>): Promise<number> {
  let seconds = 0;
  await expect
    .poll(
      async () => {
        await on.page.clock.runFor(1_000);
        seconds++;
        return reached();
      },
      { ...soon, interval: 20 },
    )
    .toBe(true);
  return seconds;
}

const seesNoPayment = async () =>
  (await on.text()).includes('We do not see your payment yet. You can authorize it again: it is never taken twice.');

beforeEach(async () => {
  await on.page.clock.install();
  await on.visit(sessions.connected);
  await on.page.clock.pauseAt(new Date(Date.now() + 1_000));
});

describe('a payment whose answer is lost', () => {
  test('is shown at once when the server has taken it', async () => {
    on.api.answers.authorizePayment = () => {
      on.api.session = sessions.submitted;
      return 'hang_up';
    };
    await authorize().click();
    await on.expectView('Payment submitted');
  });

  test('is shown when it reaches the server after the page has asked, and nothing is said before that is not known', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    await passChecks(3);
    expect(await notice()).toBe(checking);
    // A browser repeats by itself what was lost on a connection that it had used before.
    const sent = on.callsOf('authorizePayment').length;
    expect(await on.text()).not.toMatch(/nothing|no money has/i);
    on.api.session = sessions.submitted;
    await passChecks(1);
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment')).toHaveLength(sent);
  });

  test('that is over already shows its outcome', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    on.api.session = sessions.paid;
    await passChecks(1);
    await on.expectView('Paid');
  });

  test('cannot be sent again while it is looked for, and can be after that', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    await passChecks(10);
    expect(await notice()).toBe(checking);
    expect(await authorize().innerText()).toBe('Checking…');
    const sent = on.callsOf('authorizePayment').length;
    await authorize().dispatchEvent('click');
    await passChecks(1);
    expect(on.callsOf('authorizePayment')).toHaveLength(sent);

    await passTimeUntil(seesNoPayment);
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.page.getByRole('button', { name: 'Authorize payment of $182.50' }).click();
    await on.expectView('Payment submitted');
  });

  test('is looked for every two seconds, for forty', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    const seconds = await passTimeUntil(seesNoPayment);
    expect(seconds).toBeGreaterThanOrEqual(40);
    expect(seconds).toBeLessThan(50);
    expect(on.callsOf('getSession').length).toBeGreaterThanOrEqual(15);
  });

  test('is still shown when it reaches the server after those 40 seconds', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    await passTimeUntil(seesNoPayment);
    on.api.session = sessions.submitted;
    await passChecks(1);
    await on.expectView('Payment submitted');
  });

  test('and about which nobody can be asked ends at a way to try again', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    on.api.answers.getSession = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    await passTimeUntil(async () => (await on.text()).includes('trying again here'));
    await on.expectView('We cannot reach the payment service');
    expect(await on.text()).not.toMatch(/nothing|no money has/i);
    on.api.session = sessions.submitted;
    delete on.api.answers.getSession;
    await on.page.getByRole('button', { name: 'Try again' }).click();
    await on.expectView('Payment submitted');
  });

  test('is still looked for when the patient goes back and forth in the browser', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    await on.page.evaluate(() => void (location.hash = '#bank'));
    await on.expectView('Sign in to your bank');
    await on.page.goBack();
    await on.expectView('Review and authorize');
    expect(await notice()).toBe(checking);
    on.api.session = sessions.submitted;
    await passChecks(1);
    await on.expectView('Payment submitted');
  });

  test('is looked for anew when the patient comes back to the page', async () => {
    const look = (state: 'hidden' | 'visible') =>
      on.page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    on.api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    await look('hidden');
    await on.page.clock.fastForward(10 * 60_000);
    await look('visible');
    await passChecks(3);
    expect(await notice()).toBe(checking);
  });
});

test.each(['gateway_503', { code: 'internal_error' }] as const)(
  'a payment that is answered %s is looked for, as it may have been taken',
  async (answer) => {
    on.api.answers.authorizePayment = () => answer;
    await authorize().click();
    await expect.poll(notice, soon).toBe(checking);
    on.api.session = sessions.submitted;
    await passChecks(1);
    await on.expectView('Payment submitted');
  },
);

test('a bank connection whose answer is lost says that, and nothing about money', async () => {
  on.api.answers.connectBank = () => 'hang_up';
  await on.visit(sessions.opened, '/s/the-token#bank');
  await on.signIn('user_good');
  await expect.poll(notice, soon).toBe('The connection was lost. Please try again.');
});
