import { describe, expect, test } from 'vitest';
import type { MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside } from './practice-data.ts';
import { paidSessionId } from './payment-data.ts';
import { now } from './time-data.ts';

const on = useDashboardInDom();
const pending = `/sessions/ses_01KAGPENDING0000000000000`;
const processing = `/sessions/ses_01KAGPROCESSING0000000000`;
const paid = `/sessions/${paidSessionId}`;
const failed = `/sessions/ses_01KAGFAILED00000000000000`;
const expired = `/sessions/ses_01KAGCANCELLED00000000000`;
const timeline = () => on.page.locator('.timeline li > p:first-child').allTextContents();
const dialog = () => on.page.getByRole('dialog');

async function openDetails(): Promise<void> {
  await on.open(paid);
  await on.page.getByText('Technical details').click();
}

describe('the page of a session', () => {
  test('shows what the patient and the bank did, in order', async () => {
    await on.open(paid);
    expect(await timeline()).toEqual([
      'Payment link created',
      'Patient started on the payment page',
      'Patient connected a bank',
      'Patient authorized the debit',
      'Paid',
    ]);
  });

  test.each([
    [1, 'Patient asked for more time'],
    [3, 'Patient asked for more time (3 times)'],
  ])('tells when the patient asked for more time: %i', async (extensions, words) => {
    const shown = on.api.practices[lakeside]!.sessions[2]!;
    const extendedAt = new Date(Date.parse(shown.session.openedAt ?? '') + 1).toISOString();
    on.api.practices[lakeside]!.sessions[2] = { ...shown, extensions, extendedAt };
    await on.open(paid);
    expect((await timeline()).slice(1, 4)).toEqual([
      'Patient started on the payment page',
      words,
      'Patient connected a bank',
    ]);
  });

  function refund(totals: Omit<NonNullable<MemberSession['refund']>, 'refundedAt'>): void {
    const shown = on.api.practices[lakeside]!.sessions[2]!;
    shown.session = { ...shown.session, refund: { ...totals, refundedAt: new Date().toISOString() } };
  }

  test('shows a refund, and not as a return', async () => {
    refund({ amountCents: 5000, status: 'succeeded' });
    await on.open(paid);
    expect((await timeline()).at(-1)).toBe('Refunded in part');
    expect(await on.page.locator('.facts div', { hasText: 'Refunded' }).innerText()).toContain('$50.00');
    expect(await on.page.getByText('Reason for the refund').count()).toBe(0);
    Object.assign(on.api.practices[lakeside]!.sessions[2]!, { refundReason: 'Insurance paid' });
    await on.open(paid);
    expect(await on.page.locator('.facts div', { hasText: 'Reason for the refund' }).innerText()).toContain(
      'Insurance',
    );
    expect(await on.page.getByText('The bank took the money back').count()).toBe(0);
    expect(await on.page.locator('.session-sum .tag').innerText()).toBe('Partly refunded');
    expect(await on.page.getByRole('link', { name: 'New payment link' }).count()).toBe(0);
  });

  test.each([
    ['Refunded', 'Refunded', '$182.50', { amountCents: 18_250, status: 'succeeded' }],
    ['Refund pending', 'A refund is on its way', '$182.50', { amountCents: 18_250, pendingCents: 18_250 }],
    [
      'Refund failed',
      'A refund failed',
      '$50.00 did not reach the patient',
      { amountCents: 0, failedCents: 5_000, status: 'failed' },
    ],
  ] as const)('tells in its badge and its timeline: %s', async (badge, words, amount, totals) => {
    refund(totals);
    await on.open(paid);
    expect(await on.page.locator('.session-sum .tag').innerText()).toBe(badge);
    expect((await timeline()).at(-1)).toBe(words);
    expect(await on.page.locator('.timeline li').last().innerText()).toContain(amount);
    const anew = await on.page.getByRole('link', { name: 'New payment link' }).count();
    expect(anew, 'only an invoice that was refunded can be paid again').toBe(badge === 'Refunded' ? 1 : 0);
  });

  test.each([
    ['Refunded in part', 'A refund failed', 'succeeded'],
    ['A refund failed', 'Refunded in part', 'failed'],
  ] as const)('says when the last refund changed, not another: %s', async (last, earlier, status) => {
    refund({ amountCents: 6000, failedCents: 5000, status });
    await on.open(paid);
    expect((await timeline()).slice(-2)).toEqual([earlier, last]);
    const [before = '', after = ''] = (await on.page.locator('.timeline li').allInnerTexts()).slice(-2);
    const aTime = /\d:\d\d:\d\d/;
    expect(before).not.toMatch(aTime);
    expect(after).toMatch(aTime);
  });

  test.each([
    ['account_closed', undefined, 1],
    ['debit_not_authorized', undefined, 0],
    ['account_closed', { amountCents: 5000, status: 'succeeded' }, 0],
  ] as const)(
    'of a return offers a new link first unless staff should call first: %s, %j',
    async (code, given, first) => {
      if (given) refund(given);
      const shown = on.api.practices[lakeside]!.sessions[2]!;
      shown.session = { ...shown.session, return: { code, returnedAt: new Date().toISOString() } };
      await on.open(paid);
      await on.link('New payment link').waitFor();
      expect(await on.page.locator('a.primary', { hasText: 'New payment link' }).count()).toBe(first);
    },
  );

  test.each([
    ['invoice_already_paid', 'Invoice already paid through another link'],
    ['payment_in_progress', 'Invoice being paid through another link'],
  ] as const)('of an invoice that is blocked by %s leads to the other session', async (blockedBy, words) => {
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, blockedBy };
    first!.blockingSessionId = paidSessionId;
    await on.open(pending);
    await on.expectText(words);
    await on.link('See the other payment').click();
    await on.expectHeading('Invoice INV-1043');
    expect(await on.page.getByText(words).count()).toBe(0);
  });

  test('stays on the screen when a late answer about the session before arrives', async () => {
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, blockedBy: 'invoice_already_paid' };
    first!.blockingSessionId = paidSessionId;
    await on.open(pending);
    await on.link('See the other payment').waitFor();
    const late = Promise.withResolvers<undefined>();
    on.api.overrides.getSession = ({ params }) => (params['sessionId'] === paidSessionId ? undefined : late.promise);
    const asked = on.callsOf('getSession').length;
    await on.pass(4);
    await expect.poll(() => on.callsOf('getSession').length, soon).toBe(asked + 1);
    await on.link('See the other payment').click();
    await on.expectHeading('Invoice INV-1043');
    late.resolve(undefined);
    await on.requests.read(first!.session.sessionId);
    await on.expectHeading('Invoice INV-1043');
    expect(await on.page.getByText('Loading…').count()).toBe(0);
  });

  const failure = { code: 'debit_not_authorized', message: 'Not authorized.', achReturnCode: 'R10' } as const;

  test('says what to do after a failure, and no longer asks for it once another session pays the invoice', async () => {
    const shown = on.api.practices[lakeside]!.sessions.find(({ session }) => failed.endsWith(session.sessionId))!;
    shown.session = { ...shown.session, failure };
    await on.open(failed);
    await on.expectText('Do not send a new link yet. Call the patient');
    shown.blockingSessionId = paidSessionId;
    await on.open(failed);
    await on.expectText('There is nothing to do: the invoice is paid, or being paid, through');
    expect(await on.page.getByText('Call the patient').count()).toBe(0);
    await on.link('another link').click();
    await on.expectHeading('Invoice INV-1043');
  });

  test('asks for money that the patient got twice, even once another session pays the invoice', async () => {
    refund({ amountCents: 5000, status: 'succeeded' });
    const shown = on.api.practices[lakeside]!.sessions[2]!;
    shown.session = { ...shown.session, return: { code: 'insufficient_funds', returnedAt: new Date().toISOString() } };
    shown.blockingSessionId = on.api.practices[lakeside]!.sessions[0]!.session.sessionId;
    await on.open(paid);
    await on.expectText('The patient got $50.00 twice');
    expect(await on.page.getByText('There is nothing to do').count()).toBe(0);
  });

  test('asks for a new link once the bank sign-ins are used up', async () => {
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, blockedBy: 'bank_connection_locked' };
    await on.open(pending);
    await on.expectText('Bank sign-ins used up: make a new link');
    expect(await on.link('See the other payment').count()).toBe(0);
  });

  test('follows a payment while it is open', async () => {
    await on.open(pending);
    await on.expectText('Waiting for the patient');
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, status: 'processing', processingAt: '2026-11-20T16:00:00.000Z' };
    await on.pass(4);
    await expect.poll(timeline, soon).toContain('Patient authorized the debit');
  });

  test('follows a refund that is on its way', async () => {
    const shown = on.api.practices[lakeside]!.sessions[2]!;
    shown.events = [];
    refund({ amountCents: 5000, pendingCents: 5000, status: 'pending' });
    await on.open(paid);
    await on.expectText('A refund is on its way');
    refund({ amountCents: 5000, status: 'succeeded' });
    await on.pass(4);
    await on.expectText('Refunded in part');
    const asked = on.callsOf('getSession').length;
    await on.pass(4);
    expect(on.callsOf('getSession').length).toBe(asked);
  });

  test('waits for the deliveries of an event that is being sent', async () => {
    const paidOne = on.api.practices[lakeside]!.sessions[2]!;
    const [event] = paidOne.events;
    paidOne.events = [{ ...event!, isSending: true, deliveries: [] }];
    await openDetails();
    await on.expectText('Being sent…');
    paidOne.events = [event!];
    await on.pass(4);
    await on.expectText('attempts to https://billing.lakeside.example');
    paidOne.events = [{ ...event!, deliveries: [] }];
    await openDetails();
    await on.expectText('No endpoint was subscribed to it.');
  });

  test('shows the attempts of a delivery, and copies the body byte for byte', async () => {
    const { body } = on.api.practices[lakeside]!.sessions[2]!.events[0]!;
    await openDetails();
    await on.page.getByText('attempts to https://billing.lakeside.example').click();
    await on.expectText('HTTP 204');
    await on.page.locator('.deliveries').getByText('Request', { exact: true }).first().click();
    await on.page.locator('.deliveries').getByRole('button', { name: 'Copy the body' }).first().click();
    await expect.poll(() => on.page.evaluate(() => navigator.clipboard.readText()), soon).toBe(body);
  });

  test('shows no ID, URL or type of an event before its technical details are opened, and then copies the ID', async () => {
    on.api.practices[lakeside]!.sessions[2]!.session.metadata = { location: 'north' };
    await on.open(paid);
    const technical = /ses_|evt_|https:|session\.payment|north/;
    expect(await on.page.getByRole('main').innerText()).not.toMatch(technical);
    await on.page.getByText('Technical details').click();
    for (const text of ['evt_', 'session.payment.succeeded', 'north']) await on.expectText(text);
    await on.button('Copy: Session ID').click();
    await expect.poll(() => on.page.evaluate(() => navigator.clipboard.readText()), soon).toBe(paidSessionId);
  });

  test('of a viewer has no name, no proof and nothing to change', async () => {
    on.api.role = 'viewer';
    await on.open(paid);
    await on.expectHeading('Invoice INV-1043');
    expect(await on.page.getByText('Lopez').count()).toBe(0);
    expect(await on.page.locator('.screen-head').getByRole('button').allTextContents()).toEqual(['Print']);
    expect(await on.link('Proof of authorization').count()).toBe(0);
  });

  test('of an unknown session says that there is none', async () => {
    await on.open('/sessions/ses_unknown');
    await on.expectText('There is no such payment.');
  });
});

describe('cancelling', () => {
  test('says what will happen, asks once, and shows the outcome', async () => {
    await on.open(pending);
    await on.button('Cancel payment').click();
    await on.expectText('Patients can no longer pay $182.50 with this link.');
    expect(on.sent('cancelSession')).toHaveLength(0);
    await dialog().getByRole('button', { name: 'Cancel payment' }).click();
    await expect.poll(timeline, soon).toContain('Cancelled by the practice');
    expect(await on.button('Cancel payment').count()).toBe(0);
  });

  test('of a session that ends in the meantime says so, and not that a patient has authorized it', async () => {
    await on.open(pending);
    await on.button('Cancel payment').click();
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, status: 'cancelled', cancelledAt: '2026-11-20T16:00:00.000Z' };
    await on.pass(4);
    await dialog().getByText('This payment has changed in the meantime.').waitFor();
    expect(await dialog().getByText('has authorized').count()).toBe(0);
    await dialog().getByRole('button', { name: 'Close' }).click();
    expect(await dialog().count()).toBe(0);
  });

  test('too late is reported in the dialog', async () => {
    on.api.overrides.cancelSession = () => ({ code: 'payment_not_voidable' });
    await on.open(processing);
    await on.button('Cancel payment').click();
    await dialog().getByRole('button', { name: 'Cancel payment' }).click();
    await dialog().getByRole('alert').getByText('It is too late to cancel the payment.').first().waitFor();
    await on.expectText('Request req_1');
  });

  test('that the bank has not answered continues by itself', async () => {
    on.api.overrides.cancelSession = () => ({ code: 'cancellation_pending' });
    await on.open(processing);
    await on.button('Cancel payment').click();
    await dialog().getByRole('button', { name: 'Cancel payment' }).click();
    await on.expectText('We asked the bank to stop the debit.');
    expect(await dialog().count()).toBe(0);
  });
});

describe('refunding', () => {
  const refund = () => dialog().getByRole('button', { name: 'Refund' });
  const field = (name: string) => dialog().getByLabel(name);

  test('gives all of it back unless told otherwise, says what to expect, and then shows it', async () => {
    await on.open(paid);
    await on.button('Refund').click();
    expect(await field('Amount').inputValue()).toBe('182.50');
    await on.expectText('It takes some business days');
    await on.expectText('It can fail');
    await refund().click();
    await on.expectText('Enter a reason');
    expect(on.sent('refundSession')).toHaveLength(0);
    await field('Reason').fill('Paid twice');
    await refund().click();
    await dialog().waitFor({ state: 'detached' });
    expect(on.sent('refundSession')).toMatchObject([{ amountCents: 18_250, reason: 'Paid twice' }]);
    await on.expectText('The refund of $182.50 is on its way.');
    await on.expectText('Refund pending');
    expect(await on.button('Refund').count()).toBe(0);
  });

  test('says that the service fee comes back, if there is one', async () => {
    await on.open(paid);
    await on.button('Refund').click();
    await on.expectText('It can fail');
    expect(await dialog().getByText('service fee').count()).toBe(0);
    const found = on.api.practices[lakeside]!.sessions.find(({ session }) => paid.endsWith(session.sessionId));
    found!.applicationFeeCents = 213;
    await on.open(paid);
    await on.button('Refund').click();
    await on.expectText('It can fail');
    expect(await dialog().getByText('service fee').count(), 'a sandbox takes none').toBe(0);
    on.api.mode = 'live';
    await on.open(paid);
    await on.button('Refund').click();
    await on.expectText('You get the service fee of $2.13 back, too');
  });

  test('that waited for a sign-in keeps what was typed, in the same dialog', async () => {
    on.api.mode = 'live';
    on.api.recentSignIn = false;
    await on.open(paid);
    await on.button('Refund').click();
    await field('Reason').fill('Paid twice');
    await refund().click();
    await on.signInWith(on.link('Sign in again'));
    await dialog().getByText('Not saved yet. Press “Refund”.').waitFor();
    expect(await field('Reason').inputValue()).toBe('Paid twice');
    await refund().click();
    await on.expectText('The refund of $182.50 is on its way.');
  });

  test('gives back a part, and later at most what is left', async () => {
    await on.open(paid);
    await on.button('Refund').click();
    await field('Amount').fill('182.51');
    await field('Reason').fill('Insurance paid');
    await refund().click();
    await on.expectText('Enter an amount from $0.01 to $182.50');
    await field('Amount').fill('$100');
    await refund().click();
    await dialog().waitFor({ state: 'detached' });
    // Until the page has the refund, the dialog would open with the whole amount.
    await on.expectText('Refund pending');
    await on.button('Refund').click();
    await expect.poll(() => field('Amount').inputValue(), soon).toBe('82.50');
    expect(on.sent('refundSession')).toMatchObject([{ amountCents: 10_000 }]);
  });

  test.each([
    ['a part, shows how much is left now', 10_000, 'Up to $82.50.'],
    ['all of it, says that nothing is left', 18_250, 'Nothing is left to refund'],
  ])('that somebody else made first, of %s', async (_, amountCents, words) => {
    await on.open(paid);
    await on.button('Refund').click();
    await on.expectText('Up to $182.50.');
    const shown = on.api.practices[lakeside]!.sessions[2]!;
    shown.session = { ...shown.session, refund: { amountCents, refundedAt: new Date().toISOString() } };
    await field('Reason').fill('Paid twice');
    await refund().click();
    await on.expectText(words);
    expect(await field('Reason').count()).toBe(amountCents === 18_250 ? 0 : 1);
  });

  test('that is sent again is the same refund, and another amount is another one', async () => {
    on.api.overrides.refundSession = () => ({ code: 'refund_pending' });
    await on.open(paid);
    await on.button('Refund').click();
    await field('Reason').fill('Paid twice');
    for (const amount of ['182.50', '182.50', '100']) {
      await field('Amount').fill(amount);
      const count = on.sent('refundSession').length;
      await refund().click();
      await expect.poll(() => on.sent('refundSession').length, soon).toBe(count + 1);
      await dialog().getByText('The refund is still pending.').first().waitFor();
    }
    const [first, again, other] = on.callsOf('refundSession').map(({ body }) => body.refundId);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test('is offered to admins, for payments that the practice has', async () => {
    const offered = async (screen: string) => {
      await on.open(screen);
      return on.button('Refund').count();
    };
    expect(await offered(paid)).toBe(1);
    expect(await offered(pending)).toBe(0);
    expect(await offered('/sessions/ses_01KAGRETURNED000000000000')).toBe(0);
    on.api.practices[lakeside]!.sessions[2]!.session = {
      ...on.api.practices[lakeside]!.sessions[2]!.session,
      settledAt: new Date(now - 181 * 86_400_000).toISOString(),
    };
    expect(await offered(paid)).toBe(0);
  });

  test('is not offered to staff', async () => {
    on.api.role = 'staff';
    await on.open(paid);
    await on.button('Replace the receipt link').waitFor();
    expect(await on.button('Refund').count()).toBe(0);
  });
});

describe('erasing the patient', () => {
  test('says what stays, and then shows no name', async () => {
    await on.open(paid);
    await on.expectText('Maria');
    await on.button('Erase patient').click();
    await on.expectText('It cannot be undone.');
    await on.expectText('The proof of authorization stays');
    expect(on.sent('erasePatient')).toHaveLength(0);
    await dialog().getByRole('button', { name: 'Erase patient' }).click();
    await on.expectText('Patient’s details removed');
    expect(await on.page.getByRole('main').textContent()).not.toContain('Maria');
    expect(await on.button('Erase patient').count()).toBe(0);
  });

  test('is offered only once the session has ended', async () => {
    await on.open(pending);
    await on.button('Replace link').waitFor();
    expect(await on.button('Erase patient').count()).toBe(0);
  });
});

describe('a new link', () => {
  test('says first what it takes away, then shows link, code and slip', async () => {
    await on.open(pending);
    await on.button('Replace link').click();
    await on.expectText('The old link stops working right away');
    await on.expectText('The patient starts over');
    await dialog().getByRole('button', { name: 'Replace link' }).click();
    await on.expectText(`https://pay.example/s/${'n'.repeat(43)}`);
    await on.page.getByRole('img', { name: 'QR code of the payment link' }).first().waitFor();
    const slip = await on.page.locator('.slip').textContent();
    for (const words of ['$182.50', 'James O’Neill']) expect(slip).toContain(words);
  });

  test('that somebody else replaces is no longer offered', async () => {
    await on.open(pending);
    await on.button('Replace link').click();
    await dialog().getByRole('button', { name: 'Replace link' }).click();
    const link = on.page.getByText(`https://pay.example/s/${'n'.repeat(43)}`).first();
    await link.waitFor();
    const detail = on.api.practices[lakeside]?.sessions.find(({ session }) => pending.endsWith(session.sessionId));
    Object.assign(detail!, { linkReplacedAt: new Date(now + 1000).toISOString() });
    await on.pass(4);
    await on.expectText('Your new link was replaced by another');
    await link.waitFor({ state: 'detached' });
    expect(await timeline()).toContain('A new link replaced the old one');
  });

  test('of a failed payment, which has no receipt, is not one of a receipt', async () => {
    await on.open(failed);
    await on.button('Replace link').waitFor();
    expect(await on.button('Replace the receipt link').count()).toBe(0);
  });

  test('of a paid session has no slip, because there is nothing to pay', async () => {
    await on.open(paid);
    await on.button('Replace the receipt link').click();
    await on.expectText('the new link shows the same receipt');
    await dialog().getByRole('button', { name: 'Replace the receipt link' }).click();
    await on.expectText('and the receipt');
    expect(await on.button('Print a slip').count()).toBe(0);
  });
});

describe('a reminder', () => {
  const message = () => dialog().locator('.patient-message .copy-text').innerText();

  test('is in the language of the link, has no link, and leads to a new one', async () => {
    const [first] = on.api.practices[lakeside]!.sessions;
    Object.assign(first!, { locale: 'es' });
    await on.open(pending);
    await on.button('Remind patient').click();
    await on.expectText('The patient has not started to pay. The link works until Nov 27, 2026, 9:40 AM EST.');
    expect(await message()).toContain('Su factura de $182.50 sigue pendiente.');
    expect(await message()).toContain('Hasta el 27 de noviembre de 2026 a las 9:40 a.m. EST, puede pagarla');
    expect(await message()).not.toMatch(/https?:|INV-|James/);
    expect(await dialog().getByLabel('Language').count()).toBe(0);
    await dialog().getByRole('button', { name: 'Replace link' }).click();
    await on.expectText('The old link stops working right away');
    expect(on.sent('replaceLink')).toEqual([]);
  });

  test('says until when a patient who has started can pay, and goes away once nothing is left to pay', async () => {
    const [first] = on.api.practices[lakeside]!.sessions;
    const started = { openedAt: '2026-11-20T14:50:00.000Z', expiresAt: '2026-11-20T15:20:00.000Z' };
    first!.session = { ...first!.session, ...started };
    await on.open(pending);
    await on.button('Remind patient').click();
    await on.expectText('started to pay on Nov 20, 2026, 9:50 AM and has until Nov 20, 2026, 10:20 AM EST');
    await dialog().getByLabel('Language of the message').selectOption('Spanish');
    await expect.poll(message, soon).toContain('Hola, le escribimos de Lakeside Family Dental.');
    first!.session = { ...first!.session, status: 'processing', processingAt: '2026-11-20T15:00:00.000Z' };
    await on.pass(4);
    await dialog().getByText('This payment has changed in the meantime.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    expect(await on.button('Remind patient').count()).toBe(0);
  });

  test('is not offered for a link that cannot be paid', async () => {
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, blockedBy: 'invoice_already_paid' };
    await on.open(pending);
    await on.button('Replace link').waitFor();
    expect(await on.button('Remind patient').count()).toBe(0);
  });
});

test('a session is printed by its button, unless a new link would print its slip', async () => {
  const [first, , other] = on.api.practices[lakeside]!.sessions;
  other!.session = { ...other!.session, invoiceId: first!.session.invoiceId };
  await on.open(pending);
  await on.page.evaluate(() => (globalThis.print = () => document.body.setAttribute('data-printed', 'yes')));
  await on.button('Print').click();
  await on.page.locator('[data-printed]').waitFor();
  await on.button('Replace link').click();
  await dialog().getByRole('button', { name: 'Replace link' }).click();
  await on.button('Print a slip').waitFor();
  expect(await on.button('Print').count()).toBe(0);
  await on.page.locator('.panel', { hasText: 'Other links of this invoice' }).getByRole('link').click();
  await on.button('Print').waitFor();
});

describe('a session that ended without the money', () => {
  test('says whether the patient had started to pay', async () => {
    const ended = on.api.practices[lakeside]!.sessions.find(({ session }) => expired.endsWith(session.sessionId))!;
    await on.open(expired);
    await on.expectText('No money moved. If the invoice is still open');
    ended.session = { ...ended.session, openedAt: '2026-11-15T14:50:00.000Z' };
    await on.page.reload();
    await on.expectText('The patient started to pay on Nov 15, 2026, 9:50 AM, but did not finish.');
    await on.button('Replace link').waitFor();
  });

  test.each([
    ['failed', failed],
    ['expired', expired],
  ])('and %s leads to a new payment link for the same invoice and patient', async (_, path) => {
    await on.open(path);
    await on.link('New payment link').click();
    await on.expectHeading('New payment link');
    const { session } = on.api.practices[lakeside]!.sessions.find((each) => path.endsWith(each.session.sessionId))!;
    expect(await on.page.getByLabel('Invoice number', { exact: true }).inputValue()).toBe(session.invoiceId);
    expect(on.page.url()).not.toContain(session.patient?.lastName);
    await on.button('Create payment link').click();
    await on.expectHeading('Payment link created');
    const { invoiceId, amountCents, patient } = session;
    expect(on.sent('createSession')).toMatchObject([{ invoiceId, amountCents, patient }]);
  });

  test('is not offered where the invoice is paid', async () => {
    await on.open(paid);
    expect(await on.link('New payment link').count()).toBe(0);
  });
});

describe('the proof of authorization', () => {
  test('has patient and payer, what, when, from where, the whole text, its hash and references', async () => {
    const practice = on.api.practices[lakeside]!;
    // The practice has since been renamed.
    const payee = { name: 'Lakeside Family Practice of Old', supportPhone: '+1 555 010 0177' };
    practice.evidence = { ...practice.evidence!, payee };
    const { evidence } = practice;
    await on.open(paid);
    await on.link('Proof of authorization').click();
    await on.expectHeading('Proof of authorization');
    await on.expectText('The text is the one that was accepted');
    for (const fact of [
      'Maria Lopez',
      'Rosa Lopez',
      'mandate_sandbox_ses',
      'ends in 0000',
      'Lakeside Family Practice of Old, +1 555 010 0177',
      evidence.text,
      evidence.authorizationId,
      evidence.userAgent,
      evidence.authorizedAt,
    ])
      await on.expectText(fact);
  });

  test('says that a payment was simulated', async () => {
    on.api.practices[lakeside]!.evidence = { ...on.api.practices[lakeside]!.evidence!, simulated: true };
    await on.open(`${paid}/authorization`);
    await on.expectText('Simulated: no patient accepted this text');
    expect(await on.page.getByText('The text is the one').count()).toBe(0);
  });

  test('warns of a text that does not match its hash', async () => {
    on.api.practices[lakeside]!.evidence = {
      ...on.api.practices[lakeside]!.evidence!,
      textMatchesAuthorizationId: false,
    };
    await on.open(`${paid}/authorization`);
    await on.page.getByRole('alert').getByText('Do not send this to a bank.').waitFor();
    expect(await on.page.getByText('The text is the one').count()).toBe(0);
  });
});
