// @module-tag browser

import type { Locator } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { phone } from '../journey.ts';
import { useDashboardOnDouble } from './dashboard-on-double.ts';
import { lakeside } from './practice-data.ts';

const on = useDashboardOnDouble();

beforeEach(() => on.page.setViewportSize(phone));

test('the list of sessions keeps an invoice number on its line on a small phone, however long the name below it', async () => {
  const [first] = on.api.practices[lakeside]!.sessions;
  first!.session = { ...first!.session, patient: { firstName: 'Maximiliana Josephine', lastName: 'Featherstone' } };
  await on.page.setViewportSize({ width: 320, height: 568 });
  await on.open('/sessions');
  const cells = on.page.getByRole('row', { name: first!.session.invoiceId }).getByRole('cell');
  expect((await cells.first().boundingBox())!.height).toBeLessThan(30);
  const status = (await cells.nth(2).locator('.tag').boundingBox())!;
  expect((await cells.nth(3).boundingBox())!.x).toBeGreaterThanOrEqual(status.x + status.width);
});

const topOf = async (each: Locator) => (await each.boundingBox())!.y;

test('the list of payments offers a new link above what else can be done with the list', async () => {
  await on.open('/sessions');
  const main = await topOf(on.link('New payment link'));
  for (const other of ['Export CSV', 'Print']) expect(main).toBeLessThan(await topOf(on.button(other)));
});

test('a payment shows its amount and patient, then the main action, then the others', async () => {
  await on.open('/sessions/ses_01KAGPENDING0000000000000');
  const sum = on.page.locator('.session-sum');
  expect(await sum.innerText()).toContain('O’Neill');
  const amount = await topOf(sum);
  const main = await topOf(on.button('Remind patient'));
  expect(amount).toBeLessThan(main);
  for (const other of ['Replace link', 'Cancel payment', 'Print'])
    expect(main).toBeLessThan(await topOf(on.button(other)));
});

test('a wide list keeps the amount apart from the status beside it', async () => {
  await on.page.setViewportSize({ width: 1280, height: 800 });
  await on.open('/sessions');
  const cell = on.page.getByRole('cell', { name: '$', exact: false }).first();
  const room = await cell.evaluate((amount) => Number.parseFloat(getComputedStyle(amount).paddingRight));
  expect(room).toBeGreaterThanOrEqual(24);
});

test('what needs attention keeps its longest word apart from the invoice beside it', async () => {
  const [, , paid] = on.api.practices[lakeside]!.sessions;
  const refund = {
    amountCents: 0,
    failedCents: 5_000,
    status: 'failed',
    refundedAt: new Date().toISOString(),
  } as const;
  paid!.session = { ...paid!.session, refund };
  await on.page.setViewportSize({ width: 1280, height: 800 });
  await on.open('');
  const item = on.page.locator('.attention li').filter({ hasText: 'Refund failed' }).first();
  const tag = (await item.locator('.tag').boundingBox())!;
  expect((await item.getByRole('link').boundingBox())!.x - tag.x - tag.width).toBeGreaterThanOrEqual(8);
});

test('the list of sessions has filters that unfold on a phone', async () => {
  await on.open('/sessions?status=failed');
  expect(await on.page.getByLabel('Pending').isVisible()).toBe(false);
  await on.button('Filters (1)').click();
  expect(await on.page.getByLabel('Pending').isVisible()).toBe(true);
  expect(await on.page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
});

test('a new payment link is in sight on a phone, not scrolled away', async () => {
  await on.open('/sessions/new');
  await on.page.getByLabel('Invoice number').fill('INV-2001');
  await on.page.getByLabel('Amount').fill('1,182.50');
  await on.page.getByLabel("Patient's first name").fill('Ada');
  await on.page.getByLabel('Last name', { exact: true }).fill('Okafor');
  await on.button('Create payment link').click();
  await on.expectHeading('Payment link created');
  expect(await on.page.evaluate(() => scrollY)).toBe(0);
});
