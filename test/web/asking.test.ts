import { describe, expect, test } from 'vitest';
import { pollDelay } from '../../web/hosted-page/next-question.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();

describe('the first touch', () => {
  test('opens the session once, and looking at the page does not', async () => {
    on.api.answers.openSession = () => sessions.opened;
    await on.visit(sessions.owed);
    await on.page.waitForTimeout(300);
    expect(on.callsOf('openSession')).toHaveLength(0);
    await on.page.touchscreen.tap(10, 400);
    await on.expectText('left to finish');
    await on.page.touchscreen.tap(10, 400);
    await on.page.keyboard.press('Tab');
    await on.page.waitForTimeout(300);
    expect(on.callsOf('openSession')).toHaveLength(1);
  });

  test('of a page that still loads counts once the session is there', async () => {
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolveAsked) => {
      on.api.answers.getSession = async () => {
        resolveAsked();
        await new Promise<void>((resolve) => (answer = resolve));
        return sessions.owed;
      };
    });
    await on.page.goto(`${on.api.url}/s/the-token`, { waitUntil: 'commit' });
    await asked;
    await on.page.keyboard.press('Tab');
    answer?.();
    await expect.poll(() => on.callsOf('openSession').length, soon).toBe(1);
  });

  test('of a session that has ended meanwhile shows that', async () => {
    await on.visit(sessions.owed);
    on.api.answers.openSession = () => {
      on.api.session = sessions.cancelled;
      return { code: 'session_closed' };
    };
    await on.page.keyboard.press('Tab');
    await on.expectView('Payment no longer required');
  });

  test('of a session that is open or over tells the server nothing', async () => {
    for (const session of [sessions.opened, sessions.paid, sessions.expired]) {
      await on.visit(session);
      await on.page.keyboard.press('Tab');
    }
    await on.page.waitForTimeout(200);
    expect(on.callsOf('openSession')).toHaveLength(0);
  });

  test('is told again with the next touch when the server did not hear it', async () => {
    on.api.answers.openSession = () => ({ code: 'internal_error' });
    await on.visit(sessions.owed);
    await on.page.keyboard.press('Tab');
    await expect.poll(() => on.callsOf('openSession').length, soon).toBe(1);
    await on.page.waitForTimeout(200);
    expect(on.callsOf('openSession')).toHaveLength(1);
    await on.page.keyboard.press('Tab');
    await expect.poll(() => on.callsOf('openSession').length, soon).toBe(2);
  });
});

describe('as time passes', () => {
  const minutes = 60_000;
  const look = (state: 'hidden' | 'visible') =>
    on.page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);

  test('a payment in flight is asked about every two seconds', async () => {
    await on.page.clock.install();
    await on.visit(sessions.submitted);
    for (const calls of [2, 3, 4]) {
      await on.page.clock.runFor(2_000);
      await expect.poll(() => on.callsOf('getSession').length, soon).toBeGreaterThanOrEqual(calls);
    }
  });

  test('a payment in flight is asked about less often after a minute, and once a minute after six', () => {
    const delays = Array.from({ length: 100 }, (_, polls) => pollDelay(polls));
    const asksAfter = (milliseconds: number) => {
      let passed = 0;
      return delays.findIndex((delay) => (passed += delay) > milliseconds);
    };
    expect(delays[asksAfter(0)]).toBe(2_000);
    expect(delays[asksAfter(1 * minutes)]).toBe(10_000);
    expect(delays[asksAfter(6 * minutes)]).toBe(1 * minutes);
  });

  test('a page that nobody looks at asks nothing, and asks at once when somebody does again', async () => {
    await on.page.clock.install();
    await on.visit(sessions.submitted);
    await on.page.clock.pauseAt(new Date(Date.now() + 1_000));
    await look('hidden');
    const before = on.callsOf('getSession').length;
    await on.page.clock.runFor(1 * minutes);
    await on.page.waitForTimeout(100);
    expect(on.callsOf('getSession')).toHaveLength(before);
    on.api.session = sessions.paid;
    await look('visible');
    await on.expectView('Paid');
  });

  test('a page left open shows that its session has expired', async () => {
    const start = Date.parse('2026-11-20T15:00:00Z');
    await on.page.clock.install({ time: start });
    on.api.now = () => start;
    await on.visit({ ...sessions.opened, expiresAt: '2026-11-20T15:30:00.000Z' });
    on.api.session = sessions.expired;
    await on.page.clock.fastForward(29 * minutes);
    expect(on.callsOf('getSession')).toHaveLength(1);
    await on.page.clock.fastForward(2 * minutes);
    await on.expectView('This link has expired');
  });

  test.each([
    ['succeeds', 'alreadyPaid', 'This invoice is already paid'],
    ['fails', 'connected', 'Review and authorize'],
  ] as const)(
    'a page that another payment of the invoice blocks changes when that payment %s',
    async (_, state, heading) => {
      await on.page.clock.install();
      await on.visit(sessions.inProgress);
      on.api.session = sessions[state];
      await on.page.clock.runFor(2_000);
      await on.expectView(heading);
      expect(await on.page.title()).toContain(heading);
    },
  );

  test('a paid page left open shows that the bank has taken the payment back, and asks no more', async () => {
    await on.page.clock.install();
    await on.visit(sessions.paid);
    await on.page.clock.runFor(1 * minutes);
    await expect.poll(() => on.callsOf('getSession').length, soon).toBe(2);
    on.api.session = sessions.returned;
    await expect
      .poll(async () => {
        await on.page.clock.runFor(1 * minutes);
        return on.heading().innerText();
      }, soon)
      .toBe('Your bank took this payment back');
    const asked = on.callsOf('getSession').length;
    await on.page.clock.runFor(10 * minutes);
    await on.page.waitForTimeout(100);
    expect(on.callsOf('getSession')).toHaveLength(asked);
  });

  test('a paid page that somebody comes back to asks at once', async () => {
    await on.visit(sessions.paid);
    on.api.session = sessions.returned;
    await look('hidden');
    await look('visible');
    await on.expectView('Your bank took this payment back');
  });
});
