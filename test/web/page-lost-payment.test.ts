import { beforeEach, describe, expect, test } from 'vitest';
import type { Problem } from '../../web/hosted-page/patient-api.ts';
import { unreachable, usePageInFakeTime } from './page-in-fake-time.ts';
import * as sessions from './sessions.ts';

const on = usePageInFakeTime();
const second = 1_000;

beforeEach(() => on.load(sessions.connected));

async function losePayment(): Promise<void> {
  on.answers.authorizePayment = () => unreachable;
  void on.page.authorizePayment('authorization-1');
  await on.pass(0);
}

const expectChecking = () => expect(on.shownSession()).toMatchObject({ busy: true, notice: 'checking_payment' });
const expectNotSeen = () => expect(on.shownSession()).toMatchObject({ busy: false, notice: 'payment_not_seen' });
const expectEndsOn = (session: typeof sessions.submitted) =>
  expect(on.shownSession()).toMatchObject({ session, busy: false, notice: undefined });

describe('a payment whose answer is lost', () => {
  test('is shown at once if the server has it', async () => {
    on.answers.authorizePayment = () => {
      on.session = sessions.submitted;
      return unreachable;
    };
    await on.page.authorizePayment('authorization-1');
    expectEndsOn(sessions.submitted);
  });

  test.each(['submitted', 'paid'] as const)('is shown if it is %s a while later, and is sent once', async (state) => {
    await losePayment();
    await on.pass(6 * second);
    expectChecking();
    on.session = sessions[state];
    await on.pass(2 * second);
    expectEndsOn(sessions[state]);
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });

  test('is asked about every 2 s for another half minute once it is found', async () => {
    await losePayment();
    await on.pass(37 * second);
    on.session = sessions.submitted;
    await on.pass(1 * second);
    expectEndsOn(sessions.submitted);
    const asked = on.callsOf('getSession').length;
    await on.pass(28 * second);
    expect(on.callsOf('getSession')).toHaveLength(asked + 14);
  });

  test('is not looked for any longer once another payment of the invoice blocks it', async () => {
    await losePayment();
    on.session = sessions.inProgress;
    await on.pass(2 * second);
    expectEndsOn(sessions.inProgress);
  });

  test('is looked for every 2 s, for 40', async () => {
    await losePayment();
    const asked = on.callsOf('getSession').length;
    await on.pass(39 * second);
    expectChecking();
    expect(on.callsOf('getSession')).toHaveLength(asked + 19);
    await on.pass(1 * second);
    expectNotSeen();
  });

  test('cannot be sent again while the page looks for it, and can be after that', async () => {
    await losePayment();
    await on.pass(20 * second);
    await on.page.authorizePayment('authorization-1');
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
    await on.pass(20 * second);
    expectNotSeen();
    on.answers.authorizePayment = () => sessions.submitted;
    await on.page.authorizePayment('authorization-1');
    expectEndsOn(sessions.submitted);
  });

  test('is still shown if it reaches the server after those 40 s', async () => {
    await losePayment();
    await on.pass(50 * second);
    expectNotSeen();
    on.session = sessions.submitted;
    await on.pass(2 * second);
    expectEndsOn(sessions.submitted);
  });

  test('ends at a page that can try again if the server cannot be reached', async () => {
    on.answers.getSession = () => unreachable;
    await losePayment();
    await on.pass(39 * second);
    expectChecking();
    await on.pass(1 * second);
    expect(on.shown()).toMatchObject({ kind: 'unreachable', busy: false });
    on.answers = {};
    on.session = sessions.submitted;
    await on.page.reload();
    expectEndsOn(sessions.submitted);
  });

  test('is still looked for when the patient goes to the sign-in and back', async () => {
    await losePayment();
    on.page.showBankStep('sandbox_bank');
    expect(on.shownSession()).toMatchObject({ bankStep: 'sandbox_bank', notice: 'checking_payment' });
    on.page.showBankStep(undefined);
    expectChecking();
    on.session = sessions.submitted;
    await on.pass(2 * second);
    expectEndsOn(sessions.submitted);
  });

  test('is looked for again when the patient comes back to the page', async () => {
    await losePayment();
    on.page.setVisible(false);
    await on.pass(600 * second);
    on.page.setVisible(true);
    await on.pass(39 * second);
    expectChecking();
    await on.pass(1 * second);
    expectNotSeen();
  });
});

test('a payment that the server failed on is looked for, as it may have been taken', async () => {
  on.answers.authorizePayment = () => ({ code: 'internal_error' });
  void on.page.authorizePayment('authorization-1');
  await on.pass(0);
  expectChecking();
  on.session = sessions.submitted;
  await on.pass(2 * second);
  expectEndsOn(sessions.submitted);
});

test('a payment that a busy gateway refused was not taken, and can be sent again at once', async () => {
  on.answers.authorizePayment = () => ({ code: 'busy' });
  await on.page.authorizePayment('authorization-1');
  expect(on.shownSession()).toMatchObject({ busy: false, notice: 'busy' });
  on.answers.authorizePayment = () => sessions.submitted;
  await on.page.authorizePayment('authorization-1');
  expectEndsOn(sessions.submitted);
});

describe('a payment of a session that the server has not heard a touch of', () => {
  beforeEach(async () => {
    const { openedAt: _, ...unopened } = sessions.connected;
    await on.load(unopened);
  });

  test('is looked for if the answer to the touch overtakes its own', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<Problem>();
    on.answers.authorizePayment = () => answered;
    const authorized = on.page.authorizePayment('authorization-1');
    on.page.touched();
    await on.pass(0);
    expect(on.callsOf('openSession')).toHaveLength(1);
    answer({ code: 'session_closed' });
    await authorized;
    expectChecking();
  });

  test('is looked for through a touch, whatever its answer', async () => {
    await losePayment();
    on.answers.openSession = () => ({
      ...sessions.connected,
      authorization: { id: 'authorization-2', text: 'I authorize something else.', locale: 'en' },
    });
    on.page.touched();
    await on.pass(0);
    expect(on.shownSession().session.authorization?.id).toBe('authorization-2');
    expectChecking();
  });
});
