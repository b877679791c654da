// @module-tag browser

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { objections, unwrapNoscript } from './axe.ts';
import { jump, movement, painted, smallTargets } from './fit.ts';
import { phone, signIn } from './journey.ts';
import * as sessions from './sessions.ts';
import { useViewsOnDouble } from './views-on-double.ts';
import {
  authorize,
  authorizeAndBeTold,
  distinctViews,
  languages,
  openView,
  pageViews,
  type PageView,
} from './views-table.ts';

const { on, devtools } = useViewsOnDouble();

const never = () => new Promise<never>(() => {});
const unfoldReceipt: PageView['act'] = (page) => page.locator('.receipt summary').click();

const rareViews: readonly PageView[] = [
  {
    name: 'sign-in without a connection',
    session: sessions.opened,
    bankStep: 'sandbox_bank',
    answers: { connectBank: () => 'hang_up' },
    act: refusedSignIn,
  },
  {
    name: 'sign-in with an empty field',
    session: sessions.opened,
    bankStep: 'sandbox_bank',
    act: (page) => page.locator('button[type=submit]').click(),
  },
  {
    name: 'owed after the bank was lost',
    session: sessions.connected,
    answers: { authorizePayment: () => ((on.api.session = sessions.opened), { code: 'bank_not_connected' }) },
    act: authorizeAndBeTold,
  },
  {
    name: 'review of a text that has changed',
    session: sessions.connected,
    answers: { authorizePayment: () => ({ code: 'authorization_changed' }) },
    act: authorizeAndBeTold,
  },
  {
    name: 'review while the payment is sent',
    session: sessions.connected,
    answers: { authorizePayment: never },
    act: authorize,
  },
  { name: 'review with no tries left', session: { ...sessions.connected, bankConnectionAttemptsRemaining: 0 } },
  {
    name: 'cancelled after it was authorized',
    session: {
      ...sessions.submitted,
      status: 'cancelled',
      cancelledAt: '2026-11-21T09:00:00.000Z',
      cancellation: { reason: 'requested_by_practice' },
    },
  },
  { name: 'submitted with the receipt unfolded', session: sessions.submitted, act: unfoldReceipt },
  { name: 'returned with the receipt unfolded', session: sessions.returned, act: unfoldReceipt },
  {
    name: 'a practice that cannot be reached',
    session: { ...sessions.owed, practice: { name: 'Lakeside', primaryColor: '#0f766e' } },
  },
  {
    name: 'unreachable while it is tried again',
    session: sessions.opened,
    answers: { getSession: () => 'hang_up' },
    act: tryAgain,
  },
];

async function refusedSignIn(page: Page): Promise<void> {
  await signIn(page, 'user_good');
  await page.locator('[role=alert]:not(:empty)').waitFor();
}

async function tryAgain(page: Page): Promise<void> {
  on.api.answers = { getSession: never };
  await page.locator('.primary').click();
  await page.locator('[aria-disabled=true]').waitFor();
}

const named = (name: string) => pageViews.find((view) => view.name === name) ?? expect.fail(name);

describe.each(languages)('in %s', (language) => {
  test('axe finds no fault where there is no JavaScript', async () => {
    await devtools().send('Emulation.setScriptExecutionDisabled', { value: true });
    await openView(on.page, on.api, named('no-javascript'), language);
    await unwrapNoscript(on.page);
    await devtools().send('Emulation.setScriptExecutionDisabled', { value: false });
    expect(await objections(on.page)).toEqual([]);
  });

  test('axe finds no fault before the first answer, and nothing jumps when it comes', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    on.api.answers = { getSession: () => answered.then(() => sessions.owed) };
    await on.page.goto(`${on.api.url}/s/the-token?lang=${language}`);
    await painted(on.page);
    expect(await objections(on.page)).toEqual([]);
    answer();
    await on.page.locator('.amount').waitFor();
    expect(await jump(on.page)).toBeUndefined();
  });

  test.each(['owed', 'owed-logo'])(
    'how to check that %s is real is in sight on a phone, before any number',
    async (name) => {
      await openView(on.page, on.api, named(name), language);
      const check = (await on.page.locator('.check').boundingBox()) ?? expect.fail('does not say how');
      expect(check.y + check.height).toBeLessThanOrEqual(phone.height);
      const number = await on.page.locator('a[href^="tel:"]').boundingBox();
      expect(number?.y).toBeGreaterThan(check.y);
    },
  );
});

test.each(rareViews)('axe finds no fault on $name', async (view) => {
  await openView(on.page, on.api, view, 'en');
  expect(await smallTargets(on.page)).toBeUndefined();
  expect(await objections(on.page)).toEqual([]);
});

test("axe finds no fault where the practice's color is nearly that of the page", async () => {
  const review = named('review');
  const session = review.session ?? expect.fail('no session');
  const practice = { ...session.practice, primaryColor: '#ffff00' };
  await openView(on.page, on.api, { ...review, session: { ...session, practice } }, 'en');
  expect(await objections(on.page)).toEqual([]);
});

test.each(['owed', 'sign-in-failed', 'review', 'submitted', 'paid'])(
  'nothing moves on %s for a patient who has asked for less motion',
  async (name) => {
    await on.page.emulateMedia({ reducedMotion: 'reduce' });
    await openView(on.page, on.api, named(name), 'en');
    expect(await movement(on.page)).toBeUndefined();
  },
);

test('the table of views leaves no state of a session out', () => {
  const shown = new Set([...distinctViews, ...rareViews].flatMap(({ session }) => (session ? [stateOf(session)] : [])));
  for (const session of Object.values(sessions)) expect(shown).toContain(stateOf(session));
});

function stateOf(session: (typeof sessions)[keyof typeof sessions]): string {
  const { status, blockedBy, cancellation, bankAccount, bankConnectionAttemptsRemaining } = session;
  return [
    status,
    blockedBy,
    cancellation?.reason,
    session.return && 'returned',
    session.scrubbedAt && 'scrubbed',
    bankAccount && 'connected',
    bankConnectionAttemptsRemaining === 0 && 'locked',
  ]
    .filter(Boolean)
    .join(' ');
}
