import { describe, expect, test } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { Picked } from '../../web/hosted-page/bank-picker.ts';
import { unreachable, usePageInFakeTime } from './page-in-fake-time.ts';
import * as sessions from './sessions.ts';

const on = usePageInFakeTime();
const credentials = { username: 'user_good', password: 'test-password' };
const otherAuthorization = {
  ...sessions.connected,
  authorization: { id: 'authorization-2', text: 'I authorize something else.', locale: 'en' },
} as const;

describe('a bank sign-in', () => {
  test('that succeeds leads to the review', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers.connectBank = () => sessions.connected;
    const signedIn = on.page.connectBank(credentials);
    expect(on.shownSession()).toMatchObject({ bankStep: 'sandbox_bank', busy: true });
    await signedIn;
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, bankStep: undefined, busy: false });
  });

  test.each([
    [{ code: 'bank_connection_failed', attemptsRemaining: 3 }, 3],
    [{ code: 'bank_connection_locked' }, 0],
    [{ code: 'bank_unavailable' }, sessions.opened.bankConnectionAttemptsRemaining],
  ] as const)('that is refused with %o leaves %i tries, without another question', async (problem, attempts) => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers.connectBank = () => problem;
    await on.page.connectBank(credentials);
    expect(on.shownSession()).toMatchObject({
      session: { bankConnectionAttemptsRemaining: attempts },
      bankStep: 'sandbox_bank',
      busy: false,
      notice: problem.code,
    });
    expect(on.callsOf('getSession')).toHaveLength(1);
  });

  test('that finds the session expired shows that', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers.connectBank = () => {
      on.session = sessions.expired;
      return { code: 'session_expired' };
    };
    await on.page.connectBank(credentials);
    expect(on.shownSession()).toMatchObject({ session: sessions.expired, notice: undefined });
  });

  test('whose answer is lost says that, and can be tried again', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers.connectBank = () => unreachable;
    await on.page.connectBank(credentials);
    expect(on.shownSession()).toMatchObject({ bankStep: 'sandbox_bank', busy: false, notice: 'unreachable' });
  });

  test('whose answer is lost, but not the account, leads to the review and asks for nothing again', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers.connectBank = () => {
      on.session = sessions.connected;
      return unreachable;
    };
    await on.page.connectBank(credentials);
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, bankStep: undefined, notice: undefined });
  });

  test('is not undone by the late answer to an earlier call', async () => {
    const { promise: answered, resolve: answerTouch } = Promise.withResolvers<typeof sessions.opened>();
    on.answers.openSession = () => answered;
    on.answers.connectBank = () => sessions.connected;
    await on.load(sessions.owed, { bankStep: 'sandbox_bank' });
    on.page.touched();
    await on.page.connectBank(credentials);
    answerTouch(sessions.opened);
    await on.pass(0);
    expect(on.shownSession().session).toBe(sessions.connected);
  });

  test('that is refused ends, even if a later answer overtakes the question how the session is', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    const { promise: asked, resolve: answerQuestion } = Promise.withResolvers<typeof sessions.opened>();
    on.answers.connectBank = () => ({ code: 'busy' });
    on.answers.getSession = () => asked;
    const signedIn = on.page.connectBank(credentials);
    await on.pass(0);
    on.answers.extendSession = () => sessions.opened;
    await on.page.askForMoreTime();
    answerQuestion(sessions.opened);
    await signedIn;
    expect(on.shownSession()).toMatchObject({ bankStep: 'sandbox_bank', busy: false, notice: 'busy' });
  });

  test('drops its notice when the patient leaves it', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers.connectBank = () => ({ code: 'bank_unavailable' });
    await on.page.connectBank(credentials);
    on.page.showBankStep(undefined);
    expect(on.shownSession()).toMatchObject({ bankStep: undefined, notice: undefined });
  });
});

describe('a bank picker that does not answer', () => {
  const openings: PromiseWithResolvers<Picked>[] = [];

  async function openSilent(session: SessionView = sessions.opened) {
    openings.length = 0;
    await on.load(session);
    on.pick = () => {
      const opening = Promise.withResolvers<Picked>();
      openings.push(opening);
      return opening.promise;
    };
    void on.page.pickBank();
    await on.pass(60_000);
  }

  test('can be opened again after a minute, without another start', async () => {
    await openSilent();
    expect(on.shownSession()).toMatchObject({ busy: false, notice: 'picker_silent' });
    void on.page.pickBank();
    await on.pass(0);
    expect(on.shownSession()).toMatchObject({ busy: true, notice: 'picking_bank' });
    expect([openings.length, on.callsOf('startBankConnection').length]).toEqual([2, 1]);
    await on.pass(60_000);
    expect(on.shownSession()).toMatchObject({ busy: false, notice: 'picker_silent' });
  });

  test.each([0, 1])('connects the bank that the patient picks late, in opening %i', async (late) => {
    await openSilent();
    void on.page.pickBank();
    await on.pass(0);
    on.answers.connectBank = () => sessions.connected;
    openings[late]?.resolve('picked');
    await on.pass(0);
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, busy: false, notice: undefined });
    openings[1 - late]?.resolve('picked');
    await on.pass(60_000);
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, busy: false, notice: undefined });
    expect(on.callsOf('connectBank')).toHaveLength(1);
  });

  test('says nothing when only its first opening is closed', async () => {
    await openSilent();
    void on.page.pickBank();
    await on.pass(0);
    openings[0]?.resolve('picker_closed');
    await on.pass(0);
    expect(on.shownSession()).toMatchObject({ busy: true, notice: 'picking_bank' });
    openings[1]?.resolve('picker_closed');
    await on.pass(0);
    expect(on.shownSession()).toMatchObject({ busy: false, notice: 'picker_closed' });
    void on.page.pickBank();
    await on.pass(0);
    expect(on.callsOf('startBankConnection')).toHaveLength(2);
  });

  test('connects nothing late while the patient authorizes the account before', async () => {
    await openSilent(sessions.connected);
    on.answers.authorizePayment = () => new Promise(() => {});
    void on.page.authorizePayment('authorization-1');
    openings[0]?.resolve('picked');
    await on.pass(0);
    expect(on.callsOf('connectBank')).toHaveLength(0);
    expect(on.shownSession()).toMatchObject({ busy: true, notice: undefined });
  });

  test.each([0, 60_000])('shows that the practice cancelled in the meantime, after %i ms', async (wait) => {
    await on.load(sessions.opened);
    const opening = Promise.withResolvers<Picked>();
    on.pick = () => opening.promise;
    void on.page.pickBank();
    await on.pass(wait);
    on.session = sessions.cancelled;
    await on.pass(15_000);
    expect(on.shownSession()).toMatchObject({ session: sessions.cancelled, busy: false, notice: undefined });
    opening.resolve('picked');
    await on.pass(60_000);
    expect(on.callsOf('connectBank')).toHaveLength(0);
    expect(on.shownSession()).toMatchObject({ session: sessions.cancelled, busy: false, notice: undefined });
  });
});

describe('the bank picker', () => {
  test('connects the account that the patient picks', async () => {
    await on.load(sessions.opened);
    on.answers.connectBank = () => sessions.connected;
    const picked = on.page.pickBank();
    expect(on.shownSession()).toMatchObject({ busy: true, notice: 'picking_bank' });
    await picked;
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, busy: false, notice: undefined });
  });

  test('whose account is connected although the answer is lost says nothing of a lost connection', async () => {
    await on.load(sessions.opened);
    on.answers.connectBank = () => {
      on.session = sessions.connected;
      return unreachable;
    };
    await on.page.pickBank();
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, busy: false, notice: undefined });
  });

  test.each(['picker_closed', 'picker_failed'] as const)(
    'that ends as %s says so, connects nothing, and can be opened again',
    async (end) => {
      await on.load(sessions.opened);
      on.pick = () => Promise.resolve(end);
      await on.page.pickBank();
      expect(on.shownSession()).toMatchObject({ session: sessions.opened, busy: false, notice: end });
      expect(on.callsOf('connectBank')).toHaveLength(0);
      on.pick = () => Promise.resolve('picked');
      on.answers.connectBank = () => sessions.connected;
      await on.page.pickBank();
      expect(on.shownSession()).toMatchObject({ session: sessions.connected, notice: undefined });
    },
  );

  test('whose script is blocked says so and opens nothing', async () => {
    await on.load(sessions.opened);
    on.scriptLoads = false;
    on.pick = () => expect.fail('It opened.');
    await on.page.pickBank();
    expect(on.shownSession()).toMatchObject({ busy: false, notice: 'picker_unavailable' });
  });

  test('that two taps ask for opens once', async () => {
    await on.load(sessions.opened);
    await Promise.all([on.page.pickBank(), on.page.pickBank()]);
    expect(on.callsOf('startBankConnection')).toHaveLength(1);
  });

  test.each([
    [{ code: 'bank_unavailable' }, sessions.opened.bankConnectionAttemptsRemaining],
    [{ code: 'bank_connection_locked' }, 0],
  ] as const)('that the server refuses with %o does not open', async (problem, attempts) => {
    await on.load(sessions.opened);
    on.answers.startBankConnection = () => problem;
    on.pick = () => expect.fail('It opened.');
    await on.page.pickBank();
    expect(on.shownSession()).toMatchObject({
      session: { bankConnectionAttemptsRemaining: attempts },
      busy: false,
      notice: problem.code,
    });
  });

  test('of an account that is refused leaves the account before', async () => {
    await on.load(sessions.connected);
    on.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: 3 });
    await on.page.pickBank();
    expect(on.shownSession()).toMatchObject({
      session: { ...sessions.connected, bankConnectionAttemptsRemaining: 3 },
      busy: false,
      notice: 'bank_connection_failed',
    });
  });

  test('of a session that has expired in the meantime shows that', async () => {
    await on.load(sessions.opened);
    on.answers.connectBank = () => {
      on.session = sessions.expired;
      return { code: 'session_expired' };
    };
    await on.page.pickBank();
    expect(on.shownSession()).toMatchObject({ session: sessions.expired, busy: false, notice: undefined });
  });

  test('is not disturbed while it is open', async () => {
    await on.load(sessions.owed);
    on.pick = () => new Promise(() => {});
    void on.page.pickBank();
    await on.pass(0);
    on.answers.openSession = () => sessions.opened;
    on.page.touched();
    on.page.setVisible(true);
    await on.pass(59_000);
    expect(on.shownSession()).toMatchObject({ session: sessions.opened, busy: true, notice: 'picking_bank' });
  });
});

describe('asking for more time', () => {
  const later = { expiresAt: '2099-11-27T15:34:05.000Z' };
  const extended = { ...sessions.opened, ...later };

  test('keeps the bank step and drops the notice', async () => {
    await on.load(sessions.opened, { bankStep: 'sandbox_bank' });
    on.answers.connectBank = () => ({ code: 'bank_unavailable' });
    await on.page.connectBank(credentials);
    on.answers.extendSession = () => extended;
    await on.page.askForMoreTime();
    expect(on.shownSession()).toMatchObject({ session: extended, bankStep: 'sandbox_bank', notice: undefined });
  });

  test('twice at once shows the new time, although only the first one gets it', async () => {
    await on.load(sessions.opened);
    on.answers.extendSession = () => (on.session === extended ? { code: 'too_early_to_extend' } : extended);
    await Promise.all([1, 2].map(() => on.page.askForMoreTime()));
    expect(on.shownSession()).toMatchObject({ session: extended, notice: undefined });
  });

  test('does not disturb the bank picker', async () => {
    await on.load(sessions.opened);
    const { promise: picked, resolve: pick } = Promise.withResolvers<'picked'>();
    on.pick = () => picked;
    const connected = on.page.pickBank();
    await on.pass(0);
    on.answers.extendSession = () => extended;
    await on.page.askForMoreTime();
    expect(on.shownSession()).toMatchObject({ session: extended, busy: true, notice: 'picking_bank' });
    on.answers.connectBank = () => ({ ...sessions.connected, ...later });
    pick('picked');
    await connected;
    expect(on.shownSession()).toMatchObject({ session: { bankAccount: {}, ...later }, busy: false, notice: undefined });
  });

  test('that another tab did first, or whose answer was lost, shows the new time', async () => {
    for (const code of ['too_early_to_extend', 'unreachable'] as const) {
      await on.load(sessions.opened);
      on.answers.extendSession = () => {
        on.session = extended;
        return { code };
      };
      await on.page.askForMoreTime();
      expect(on.shownSession()).toMatchObject({ session: extended, busy: false, notice: undefined });
    }
  });

  test.each(['no_extensions_left', 'internal_error', 'busy', 'unreachable'] as const)(
    'that fails with %s says so and leaves the page as it is',
    async (code) => {
      await on.load(sessions.opened, { bankStep: 'banks' });
      on.answers.extendSession = () => ({ code });
      if (code === 'unreachable') on.answers.getSession = () => ({ code });
      await on.page.askForMoreTime();
      expect(on.shownSession()).toEqual({
        kind: 'session',
        session: sessions.opened,
        bankStep: 'banks',
        busy: false,
        notice: code,
      });
    },
  );

  test('too late shows that the link has expired', async () => {
    await on.load(sessions.opened);
    on.answers.extendSession = () => {
      on.session = sessions.expired;
      return { code: 'session_expired' };
    };
    await on.page.askForMoreTime();
    expect(on.shownSession()).toMatchObject({ session: sessions.expired, notice: undefined });
  });
});

describe('asking for a new link', () => {
  test('twice at once sends it once, and shows that the practice was told', async () => {
    await on.load(sessions.expired);
    on.answers.requestLink = () => sessions.linkRequested;
    await Promise.all([on.page.askForNewLink(), on.page.askForNewLink()]);
    expect(on.shownSession()).toMatchObject({ session: sessions.linkRequested, busy: false, notice: undefined });
    expect(on.callsOf('requestLink')).toHaveLength(1);
  });

  test('shows what the server knows if the answer was lost, or the link still works', async () => {
    for (const [session, notice] of [
      [sessions.linkRequested, undefined],
      [sessions.opened, undefined],
      [sessions.expired, 'unreachable'],
    ] as const) {
      await on.load(sessions.expired);
      on.answers.requestLink = () => {
        on.session = session;
        return { code: 'unreachable' };
      };
      await on.page.askForNewLink();
      expect(on.shownSession()).toMatchObject({ session, busy: false, notice });
    }
  });
});

describe('authorizing a payment', () => {
  test('twice at once sends it once', async () => {
    await on.load(sessions.connected);
    on.answers.authorizePayment = () => sessions.submitted;
    await Promise.all([1, 2].map(() => on.page.authorizePayment('authorization-1')));
    expect(on.shownSession().session).toBe(sessions.submitted);
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });

  test('is not disturbed by polling or by a page that becomes visible', async () => {
    await on.load(sessions.connected);
    on.answers.authorizePayment = () => new Promise(() => {});
    void on.page.authorizePayment('authorization-1');
    on.page.setVisible(true);
    await on.pass(60_000);
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, busy: true });
    expect(on.callsOf('getSession')).toHaveLength(1);
  });

  test.each([
    ['session_closed', 'submitted'],
    ['session_expired', 'expired'],
    ['invoice_already_paid', 'alreadyPaid'],
    ['payment_in_progress', 'inProgress'],
    ['practice_suspended', 'suspended'],
  ] as const)('that is answered %s shows the session as it is, without a notice', async (code, state) => {
    await on.load(sessions.connected);
    on.answers.authorizePayment = () => {
      on.session = sessions[state];
      return { code };
    };
    await on.page.authorizePayment('authorization-1');
    expect(on.shownSession()).toMatchObject({ session: sessions[state], busy: false, notice: undefined });
  });

  test('without a bank shows the session as it is, and says why', async () => {
    await on.load(sessions.connected);
    on.answers.authorizePayment = () => {
      on.session = sessions.opened;
      return { code: 'bank_not_connected' };
    };
    await on.page.authorizePayment('authorization-1');
    expect(on.shownSession()).toMatchObject({ session: sessions.opened, busy: false, notice: 'bank_not_connected' });
  });

  test('is possible again, without a notice, once another payment of the invoice has failed', async () => {
    await on.load(sessions.connected);
    on.answers.authorizePayment = () => {
      on.session = sessions.inProgress;
      return { code: 'payment_in_progress' };
    };
    await on.page.authorizePayment('authorization-1');
    on.session = sessions.connected;
    await on.pass(2_000);
    expect(on.shownSession()).toMatchObject({ session: sessions.connected, busy: false, notice: undefined });
  });
});

describe('an authorization that has changed', () => {
  test('is shown and announced when the payment is refused for it', async () => {
    await on.load(sessions.connected);
    on.answers.authorizePayment = () => {
      on.session = otherAuthorization;
      return { code: 'authorization_changed' };
    };
    await on.page.authorizePayment('authorization-1');
    expect(on.shownSession()).toMatchObject({ session: otherAuthorization, notice: 'authorization_changed' });
  });

  test('is announced when the page finds it after another refusal', async () => {
    await on.load(sessions.connected);
    on.answers.authorizePayment = () => {
      on.session = otherAuthorization;
      return { code: 'busy' };
    };
    await on.page.authorizePayment('authorization-1');
    expect(on.shownSession()).toMatchObject({ session: otherAuthorization, notice: 'authorization_changed' });
  });

  test('is announced when the page finds it by itself', async () => {
    await on.load(sessions.connected);
    on.session = otherAuthorization;
    on.page.setVisible(true);
    await on.pass(0);
    expect(on.shownSession()).toMatchObject({ session: otherAuthorization, notice: 'authorization_changed' });
  });

  test('is not announced to a patient who is signing in to another account', async () => {
    await on.load(sessions.connected, { bankStep: 'sandbox_bank' });
    on.session = otherAuthorization;
    on.page.setVisible(true);
    await on.pass(0);
    expect(on.shownSession()).toMatchObject({ session: otherAuthorization, notice: undefined });
  });
});

test.each(['touched', 'connectBank', 'authorizePayment', 'askForMoreTime', 'askForNewLink'] as const)(
  'a page whose link was replaced shows nothing of the session after %s',
  async (action) => {
    await on.load(action === 'touched' ? sessions.owed : sessions.connected);
    const gone = () => ({ code: 'link_not_found' }) as const;
    on.answers = {
      getSession: gone,
      extendSession: gone,
      requestLink: gone,
      openSession: gone,
      connectBank: gone,
      authorizePayment: gone,
    };
    if (action === 'touched') on.page.touched();
    else if (action === 'askForMoreTime') await on.page.askForMoreTime();
    else if (action === 'askForNewLink') await on.page.askForNewLink();
    else if (action === 'connectBank') await on.page.connectBank(credentials);
    else await on.page.authorizePayment('authorization-1');
    await on.pass(0);
    expect(on.shown()).toEqual({ kind: 'unknown_link' });
  },
);
