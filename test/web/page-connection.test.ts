import { describe, expect, test } from 'vitest';
import type { Problem } from '../../web/hosted-page/patient-api.ts';
import { unreachable, usePageInFakeTime } from './page-in-fake-time.ts';
import * as sessions from './sessions.ts';

const on = usePageInFakeTime();
const second = 1_000;
const day = 86_400_000;

function goOffline(): void {
  on.online = false;
  on.answers.getSession = () => unreachable;
  on.page.connectionChanged();
}

function goOnline(): void {
  on.online = true;
  on.answers = {};
  on.page.connectionChanged();
}

describe('a device that goes offline', () => {
  test.each(['owed', 'opened', 'connected', 'submitted', 'paid'] as const)(
    'keeps a session that is %s on the screen, and shows how it stands once it is back',
    async (state) => {
      await on.load(sessions[state]);
      goOffline();
      await on.pass(0);
      expect([on.shownSession().session, on.isShownOffline()]).toEqual([sessions[state], true]);
      goOnline();
      on.session = sessions.cancelled;
      await on.pass(0);
      expect([on.shownSession().session, on.isShownOffline()]).toEqual([sessions.cancelled, false]);
    },
  );

  test('loses its session when it signs in, and comes back to the sign-in by itself', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.online = false;
    on.answers = { connectBank: () => unreachable, getSession: () => unreachable };
    await on.page.connectBank({ username: 'user_good', password: 'test-password' });
    expect([on.shown(), on.isShownOffline()]).toEqual([
      { kind: 'unreachable', bankStep: 'sandbox_bank', busy: false },
      true,
    ]);
    goOnline();
    await on.pass(0);
    expect(on.shownSession()).toMatchObject({ session: sessions.opened, bankStep: 'sandbox_bank', busy: false });
  });

  test('is shown as offline even if the server was unreachable before', async () => {
    on.answers.getSession = () => unreachable;
    await on.load(sessions.owed);
    expect(on.isShownOffline()).toBe(false);
    goOffline();
    expect(on.isShownOffline()).toBe(true);
    expect(on.callsOf('getSession')).toHaveLength(1);
  });

  test('sends a payment once at most', async () => {
    await on.load(sessions.connected);
    goOffline();
    on.answers.authorizePayment = () => unreachable;
    void on.page.authorizePayment('authorization-1');
    await on.pass(10 * second);
    expect([on.shownSession().notice, on.isShownOffline()]).toEqual(['checking_payment', true]);
    goOnline();
    await on.pass(60 * second);
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, notice: 'payment_not_seen' });
  });

  test('is not shown as offline if only the browser says so', async () => {
    on.online = false;
    await on.load(sessions.owed);
    on.page.connectionChanged();
    await on.pass(0);
    expect(on.callsOf('getSession')).toHaveLength(2);
    expect(on.isShownOffline()).toBe(false);
  });
});

describe('a server that does not answer', () => {
  test('is not shown as offline, and is asked again, less and less often', async () => {
    on.answers.getSession = () => unreachable;
    await on.load(sessions.owed);
    await on.pass(1 * day);
    expect([on.shown(), on.isShownOffline()]).toEqual([
      { kind: 'unreachable', bankStep: undefined, busy: false },
      false,
    ]);
    const asked = on.callsOf('getSession');
    expect(asked.slice(0, 3)).toEqual([0, 5 * second, 10 * second]);
    expect((asked.at(-1) ?? 0) - (asked.at(-2) ?? 0)).toBe(300 * second);
  });

  test('is shown as soon as it answers again, without a tap', async () => {
    on.answers.getSession = () => unreachable;
    await on.load(sessions.owed);
    on.answers = {};
    await on.pass(5 * second);
    expect(on.shownSession().session).toBe(sessions.owed);
  });

  test.each(['unreachable', 'internal_error'] as const)(
    '(%s) is asked at once when the patient comes back to the page',
    async (code) => {
      on.answers.getSession = () => ({ code });
      await on.load(sessions.owed);
      on.page.setVisible(false);
      on.answers = {};
      await on.pass(1 * day);
      expect(on.shown().kind).toBe('unreachable');
      on.page.setVisible(true);
      await on.pass(0);
      expect(on.shownSession().session).toBe(sessions.owed);
    },
  );

  test('shows that it is tried again when the patient asks for it', async () => {
    on.answers.getSession = () => unreachable;
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers = {};
    const tried = on.page.reload();
    expect(on.shown()).toMatchObject({ kind: 'unreachable', busy: true });
    await tried;
    expect(on.shownSession()).toMatchObject({ session: sessions.opened, bankStep: 'sandbox_bank' });
  });

  test('is not shown again by its late answer to the try before', async () => {
    const tries = [Promise.withResolvers<Problem>(), Promise.withResolvers<Problem>()];
    on.answers.getSession = () => unreachable;
    await on.load(sessions.owed);
    let tried = 0;
    on.answers.getSession = async () => (await tries[tried++]?.promise) ?? unreachable;
    void on.page.reload();
    void on.page.reload();
    tries[1]?.resolve({ code: 'link_not_found' });
    await on.pass(0);
    tries[0]?.resolve(unreachable);
    await on.pass(0);
    expect(on.shown().kind).toBe('unknown_link');
  });

  test('leaves the sign-in too when the patient goes back', async () => {
    on.answers.getSession = () => unreachable;
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.page.showBankStep(undefined);
    on.answers = {};
    await on.page.reload();
    expect(on.shownSession().bankStep).toBeUndefined();
  });
});

describe('a server that is overloaded or fails', () => {
  test.each([
    [{ code: 'busy', retryAfter: 7 * second }, 7],
    [{ code: 'busy', retryAfter: 3_600 * second }, 60],
    [{ code: 'busy', retryAfter: NaN }, 5],
    [{ code: 'internal_error' }, 5],
  ] as const)('with %o is asked again by itself after %i s', async (problem, seconds) => {
    on.answers.getSession = () => problem;
    await on.load(sessions.owed);
    await on.pass(seconds * second - 1);
    expect(on.callsOf('getSession')).toHaveLength(1);
    await on.pass(1);
    expect(on.callsOf('getSession')).toHaveLength(2);
    on.answers = {};
    await on.pass(seconds * second);
    expect(on.shownSession().session).toBe(sessions.owed);
  });

  test('is polled less and less often', async () => {
    on.answers.getSession = () => ({ code: 'busy' });
    await on.load(sessions.owed);
    await on.pass(900 * second);
    const asked = on.callsOf('getSession').map((at) => at / second);
    expect(asked.slice(13, 18)).toEqual([65, 70, 75, 85, 95]);
    expect(asked.slice(23, 27)).toEqual([155, 165, 195, 225]);
    expect((asked.at(-1) ?? NaN) - (asked.at(-2) ?? NaN)).toBe(60);
  });
});

test('a page that cannot render a session is stopped: it no longer polls, and a touch does not open the session', async () => {
  await on.load(sessions.owed);
  const shown = on.shown();
  on.page.stop();
  on.page.touched();
  on.page.setVisible(true);
  on.page.connectionChanged();
  await on.page.reload();
  await on.pass(1 * day);
  expect(on.shown()).toBe(shown);
  expect([on.callsOf('getSession').length, on.callsOf('openSession').length]).toEqual([2, 0]);
});
