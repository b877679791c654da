import { describe, expect, test } from 'vitest';
import { usePageInFakeTime } from './page-in-fake-time.ts';
import * as sessions from './sessions.ts';

const on = usePageInFakeTime();
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const endingIn = (milliseconds: number) => ({ expiresAt: new Date(Date.now() + milliseconds).toISOString() });

describe('polling', () => {
  test('requests a submitted payment every 2 s for half a minute, then less and less often', async () => {
    await on.load(sessions.submitted);
    await on.pass(90 * minute);
    const asked = on.callsOf('getSession');
    const gapAfter = (time: number) => {
      const next = asked.findIndex((at) => at > time);
      return (asked[next + 1] ?? NaN) - (asked[next] ?? NaN);
    };
    expect([0, 0.4, 0.6, 1.5, 2.1, 9, 11, 55, 70].map((minutes) => gapAfter(minutes * minute))).toEqual(
      [2, 2, 10, 10, 30, 30, 60, 60, 300].map((seconds) => seconds * second),
    );
  });

  test('of a page that opens in the background waits until it is visible', async () => {
    on.session = sessions.submitted;
    on.page.setVisible(false);
    await on.page.reload();
    await on.pass(1 * hour);
    expect(on.callsOf('getSession')).toHaveLength(1);
    on.page.setVisible(true);
    await on.pass(0);
    expect(on.callsOf('getSession')).toHaveLength(2);
  });

  test('does not restart because a hidden page is online again', async () => {
    await on.load(sessions.submitted);
    on.page.setVisible(false);
    on.online = false;
    on.page.connectionChanged();
    on.online = true;
    on.page.connectionChanged();
    await on.pass(1 * hour);
    expect(on.callsOf('getSession')).toHaveLength(1);
  });

  test('stops while the page is hidden, and restarts at once when it becomes visible', async () => {
    await on.load(sessions.submitted);
    await on.pass(10 * minute);
    const asked = on.callsOf('getSession').length;
    on.page.setVisible(false);
    await on.pass(1 * day);
    expect(on.callsOf('getSession')).toHaveLength(asked);
    on.page.setVisible(true);
    await on.pass(0);
    expect(on.callsOf('getSession')).toHaveLength(asked + 1);
    await on.pass(2 * second);
    expect(on.callsOf('getSession')).toHaveLength(asked + 2);
  });

  test('asks about a session that can only expire when it does', async () => {
    await on.load({ ...sessions.opened, ...endingIn(30 * minute) });
    on.session = sessions.expired;
    await on.pass(30 * minute);
    expect(on.callsOf('getSession')).toHaveLength(1);
    await on.pass(1 * second);
    expect(on.shownSession().session).toBe(sessions.expired);
  });

  test("follows the server's clock", async () => {
    on.serverAhead = 2 * day;
    await on.load({ ...sessions.opened, ...endingIn(2 * day + 10 * minute) });
    await on.pass(10 * minute);
    expect(on.callsOf('getSession')).toHaveLength(1);
    await on.pass(1 * second);
    expect(on.callsOf('getSession')).toHaveLength(2);
  });

  test('asks every 15 s about a session that is past its time but still pending', async () => {
    await on.load({ ...sessions.opened, ...endingIn(-minute) });
    await on.pass(45 * second);
    expect(on.callsOf('getSession')).toEqual([0, 15 * second, 30 * second, 45 * second]);
  });

  test.each(['alreadyPaid', 'connected'] as const)(
    'notices within 2 s that another payment of the invoice leaves this session %s',
    async (state) => {
      await on.load(sessions.inProgress);
      on.session = sessions[state];
      await on.pass(2 * second);
      expect(on.shownSession().session).toBe(sessions[state]);
    },
  );

  test('asks every minute, later every five, whether a paid payment was returned, and no more after that', async () => {
    await on.load(sessions.paid);
    await on.pass(20 * minute);
    expect(on.callsOf('getSession')).toEqual([
      ...Array.from({ length: 11 }, (_, each) => each * minute),
      15 * minute,
      20 * minute,
    ]);
    on.session = sessions.returned;
    await on.pass(1 * day);
    expect(on.shownSession().session).toBe(sessions.returned);
    expect(on.callsOf('getSession')).toHaveLength(14);
  });

  test.each(['returned', 'failed', 'cancelled', 'expired'] as const)(
    'never asks again about a session that is %s',
    async (state) => {
      await on.load(sessions[state]);
      await on.pass(1 * day);
      expect(on.callsOf('getSession')).toHaveLength(1);
    },
  );

  test('stops showing a session whose link was replaced', async () => {
    await on.load(sessions.submitted);
    on.answers.getSession = () => ({ code: 'link_not_found' });
    await on.pass(2 * second);
    expect(on.shown()).toEqual({ kind: 'unknown_link' });
    await on.pass(1 * day);
    expect(on.callsOf('getSession')).toHaveLength(2);
  });

  test('never asks again about an unknown link', async () => {
    await on.load(undefined);
    await on.pass(1 * day);
    expect(on.shown()).toEqual({ kind: 'unknown_link' });
    expect(on.callsOf('getSession')).toHaveLength(1);
  });

  test('keeps the page as it is when there is no answer, and asks again', async () => {
    await on.load(sessions.submitted);
    on.answers.getSession = () => ({ code: 'unreachable' });
    await on.pass(2 * second);
    expect(on.shownSession().session).toBe(sessions.submitted);
    on.answers = {};
    on.session = sessions.paid;
    await on.pass(2 * second);
    expect(on.shownSession().session).toBe(sessions.paid);
  });
});

describe('the first touch', () => {
  test('opens the session once, and looking at the page does not', async () => {
    on.answers.openSession = () => sessions.opened;
    await on.load(sessions.owed);
    await on.pass(1 * hour);
    expect(on.callsOf('openSession')).toHaveLength(0);
    on.page.touched();
    on.page.touched();
    await on.pass(0);
    on.page.touched();
    await on.pass(0);
    expect(on.callsOf('openSession')).toHaveLength(1);
    expect(on.shownSession().session).toBe(sessions.opened);
  });

  test('counts while the page is still loading', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<typeof sessions.owed>();
    on.answers.getSession = () => answered;
    const loaded = on.load(sessions.owed);
    on.page.touched();
    expect(on.callsOf('openSession')).toHaveLength(0);
    answer(sessions.owed);
    await loaded;
    expect(on.callsOf('openSession')).toHaveLength(1);
  });

  test('shows a session that has ended in the meantime', async () => {
    await on.load(sessions.owed);
    on.answers.openSession = () => sessions.cancelled;
    on.page.touched();
    await on.pass(0);
    expect(on.shownSession().session).toBe(sessions.cancelled);
  });

  test.each([
    ['that is open', sessions.opened],
    ['that is paid', sessions.paid],
    ['that has expired', sessions.expired],
  ])('does not open a session %s', async (_, session) => {
    await on.load(session);
    on.page.touched();
    await on.pass(0);
    expect(on.callsOf('openSession')).toHaveLength(0);
  });

  test('starts no time while the invoice is being paid through another link, also not once that has failed', async () => {
    await on.load(sessions.inProgress);
    on.page.touched();
    on.session = sessions.owed;
    await on.pass(2 * second);
    expect(on.shownSession().session).toBe(sessions.owed);
    expect(on.callsOf('openSession')).toHaveLength(0);
    on.page.touched();
    expect(on.callsOf('openSession')).toHaveLength(1);
  });

  test.each(['unreachable', 'busy', 'internal_error'] as const)(
    'is reported again with the next one if the server answered %s',
    async (code) => {
      on.answers.openSession = () => ({ code });
      await on.load(sessions.owed);
      on.page.touched();
      await on.pass(1 * minute);
      expect(on.callsOf('openSession')).toHaveLength(1);
      expect(on.callsOf('getSession')).toHaveLength(1);
      on.page.touched();
      await on.pass(0);
      expect(on.callsOf('openSession')).toHaveLength(2);
    },
  );
});
