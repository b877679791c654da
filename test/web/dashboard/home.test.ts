import { describe, expect, test } from 'vitest';
import { formatDollars } from '../../../functions/domain/payments/authorization.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';

const on = useDashboardInDom();
const steps = () => on.page.locator('.checklist .step-title').allTextContents();

describe('a new practice', () => {
  test('sees the steps to its first paid test invoice, and does them one after another', async () => {
    await on.open('', maple);
    expect(await steps()).toEqual([
      'Make the payment page yours',
      'Tell patients how to reach you',
      'Create a test payment link',
      'Pay it as a patient',
      'For your software: create an API key',
      'For your software: add a webhook endpoint',
      'For your software: receive a test event',
    ]);
    expect(await on.page.locator('.checklist .primary').allTextContents()).toEqual(['Choose logo and color']);
    await on.link('Choose logo and color').click();
    // The preview of the payment page has its own heading.
    await on.page.getByRole('heading', { level: 1, name: 'Practice', exact: true }).waitFor();
  });

  test('sees a step ticked that was done elsewhere, without reloading', async () => {
    await on.open('', maple);
    const practice = on.api.practices[maple]!;
    practice.home = { ...practice.home, checklist: { ...practice.home.checklist, branding: true } };
    await on.pass(6);
    await expect.poll(steps, soon).toContain('Make the payment page yours (done)');
    expect(await on.page.locator('.checklist .primary').allTextContents()).toEqual(['Add a contact']);
  });

  test('is told once that setup is complete', async () => {
    await on.open('', maple);
    const practice = on.api.practices[maple]!;
    const checklist = on.api.practices[lakeside]!.home.checklist;
    const complete = Object.fromEntries(Object.keys(checklist).map((step) => [step, true])) as typeof checklist;
    practice.home = { ...practice.home, checklist: complete };
    await on.pass(6);
    await on.expectText('Setup is complete');
    await on.open('', maple);
    await on.expectHeading('Home');
    expect(await on.page.getByText('Setup is complete').count()).toBe(0);
    expect(await steps()).toEqual([]);
  });

  test('in production sees what it takes to go live', async () => {
    on.api.mode = 'live';
    await on.open('', maple);
    await on.expectText('Go live');
    expect(await steps()).toEqual([
      'Accept the terms',
      'Set up where payments are deposited',
      'Tell patients how to reach you',
      'Make the payment page yours',
      'Send the first payment link',
      'Get the first payment',
      'For your software: add a webhook endpoint',
      'For your software: receive a test event',
      'For your software: create an API key',
    ]);
    await on.expectText('0 of 6 steps done');
    expect(await on.page.getByText('Sandbox').count()).toBe(0);
  });

  test('in production is set up without steps for software', async () => {
    on.api.mode = 'live';
    const practice = on.api.practices[maple]!;
    const done = { terms: true, deposit: true, contact: true, branding: true, session: true };
    practice.home = { ...practice.home, checklist: { ...practice.home.checklist, ...done } };
    await on.open('', maple);
    await on.expectText('5 of 6 steps done');
    practice.home = { ...practice.home, checklist: { ...practice.home.checklist, paidSession: true } };
    await on.pass(6);
    await on.expectText('Setup is complete');
    expect(await steps()).toEqual([]);
  });

  test('shows steps for admins only to admins', async () => {
    on.api.role = 'staff';
    await on.open('', maple);
    expect(await on.page.getByText('An admin does this.').count()).toBe(5);
    expect(await on.page.locator('.checklist .primary').allTextContents()).toEqual(['New payment link']);
  });
});

describe('a practice with payments', () => {
  test('sees the sums of the last 30 days, and the same numbers as a table', async () => {
    const { days } = on.api.practices[lakeside]!.home;
    const paid = days.reduce((sum, day) => sum + day.paid.cents, 0);
    await on.open('');
    await on.expectText(formatDollars(paid));
    await on.page.getByText('Show the numbers as a table').click();
    const rows = await on.page.getByRole('row').allTextContents();
    expect(rows).toHaveLength(days.length + 1);
    expect(rows[1]).toContain(formatDollars(days.at(-1)!.paid.cents));
  });

  test('sees what needs attention, each with a link', async () => {
    await on.open('');
    await on.expectText('Turned off');
    const item = on.page.locator('.attention li').filter({ hasText: 'INV-1038' });
    expect(await item.innerText(), 'whom to call').toMatch(/INV-1038, \p{L}+ \p{L}+, \$/u);
    expect(await item.innerText(), 'what to do').toMatch(/send a new (payment )?link/);
    await on.link('Your software does not hear about payments').first().waitFor();
    expect(await on.page.getByRole('main').innerText()).not.toMatch(/lakeside\.example|evt_|ses_/);
    await on.page.getByText('Technical details').first().click();
    await on.expectText('https://');
    await on.link('INV-1038').click();
    await on.expectHeading('Invoice INV-1038');
    await on.expectText('This payment no longer counts');
  });

  test.each([
    [
      'viewer',
      'For staff and admins: Send a new payment link, and ask',
      'For staff and admins: Ask the patient',
      'For admins: The patient has not',
    ],
    ['staff', 'Send a new payment link, and ask', 'Ask the patient', 'For admins: The patient has not'],
    ['admin', 'Send a new payment link, and ask', 'Ask the patient', 'The patient has not'],
  ] as const)('tells a %s who can do what it advises', async (role, onReturn, onFailure, onRefund) => {
    const [, , paid] = on.api.practices[lakeside]!.sessions;
    const refundedAt = new Date().toISOString();
    paid!.session = { ...paid!.session, refund: { amountCents: 0, failedCents: 5_000, status: 'failed', refundedAt } };
    on.api.role = role;
    await on.open('');
    await on.expectText('Turned off');
    const advice = await on.page.locator('.attention li > div > p:nth-of-type(3)').allTextContents();
    for (const start of [onReturn, onFailure, onRefund])
      expect(
        advice.some((each) => each.startsWith(start)),
        `${start}, in ${advice.join('\n')}`,
      ).toBe(true);
    const enabling = advice.filter((each) => each.includes('enable it'));
    expect(enabling.every((each) => each.startsWith('Only admins') === (role !== 'admin'))).toBe(true);
    expect(enabling).not.toHaveLength(0);
  });

  test('sees which refund failed', async () => {
    const [, , paid] = on.api.practices[lakeside]!.sessions;
    const refundedAt = new Date().toISOString();
    paid!.session = { ...paid!.session, refund: { amountCents: 0, failedCents: 5_000, status: 'failed', refundedAt } };
    await on.open('');
    const item = on.page.locator('.attention li').filter({ hasText: 'A refund failed' });
    await item.getByText('Refund failed', { exact: true }).waitFor();
    await item.getByRole('link').click();
    await on.expectHeading(`Invoice ${paid!.session.invoiceId}`);
  });

  test('sees which patient asked for a new link', async () => {
    await on.open('');
    const item = on.page.locator('.attention li').filter({ hasText: 'A patient asked for a new link' });
    await item.getByText('Expired', { exact: true }).waitFor();
    const invoice = await item.getByRole('link').textContent();
    await item.getByRole('link').click();
    await on.expectHeading(`Invoice ${invoice}`);
  });

  test('is told when it is unknown what needs attention, and can ask again', async () => {
    on.api.overrides.getAlerts = () => ({ code: 'internal_error' });
    await on.open('');
    await on.expectText('Something went wrong on our end.');
    on.api.overrides = {};
    await on.button('Try again').click();
    await on.expectText('Turned off');
  });

  test('is told when there are too many payments to add up', async () => {
    const practice = on.api.practices[lakeside]!;
    practice.home = { ...practice.home, complete: false };
    await on.open('');
    await on.expectText('There are too many payments to add up here.');
  });
});
