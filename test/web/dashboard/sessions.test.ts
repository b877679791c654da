import { describe, expect, test } from 'vitest';
import type { SessionDetail } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';
import { before } from './time-data.ts';

const on = useDashboardInDom();
const invoices = () => on.page.locator('.row-link').allTextContents();
const lastQuery = () => on.api.calls.findLast(({ route }) => route === 'listSessions')?.query;
const pathOf = () => new URL(on.page.url()).search;

describe('the list of sessions', () => {
  test('is printed by its button', async () => {
    await on.open('/sessions');
    await on.page.evaluate(() => (globalThis.print = () => document.body.setAttribute('data-printed', 'yes')));
    await on.button('Print').click();
    await on.page.locator('[data-printed]').waitFor();
  });

  test('is filtered by several statuses, which the address keeps and Back takes away', async () => {
    await on.open('/sessions');
    await on.page.getByLabel('Pending').check();
    await expect.poll(invoices, soon).toEqual(['INV-1051']);
    await on.page.getByLabel('Failed').check();
    await expect.poll(invoices, soon).toEqual(['INV-1051', 'INV-1037']);
    expect(pathOf()).toBe('?status=pending&status=failed');
    await on.page.goBack();
    await expect.poll(invoices, soon).toEqual(['INV-1051']);
    expect(await on.page.getByLabel('Failed').isChecked()).toBe(false);
  });

  test('is filtered by days in the time zone of the practice, the last one included', async () => {
    await on.open('/sessions?from=2026-11-01&to=2026-11-01');
    await expect.poll(invoices, soon).toEqual(['INV-1023']);
    expect(lastQuery()?.get('createdSince')).toBe('2026-11-01T04:00:00.000Z');
    expect(lastQuery()?.get('createdBefore')).toBe('2026-11-02T05:00:00.000Z');
  });

  test.each(['from=0000-01-01', 'to=9999-12-31'])('leaves out a day that no session can have: %s', async (day) => {
    await on.open(`/sessions?${day}`);
    expect(await invoices()).toHaveLength(50);
    expect(await on.link('Clear filters').count()).toBe(0);
  });

  test('is filtered by the last day that was whole while its year is typed', async () => {
    await on.open('/sessions?to=2026-11-01');
    for (const day of ['9999-12-31', '0202-11-01']) {
      await on.page.getByLabel('Until').fill(day);
      await on.loaded();
      expect(pathOf()).toBe('?to=2026-11-01');
    }
    await on.page.getByLabel('Until').fill('2026-11-20');
    await expect.poll(pathOf, soon).toBe('?to=2026-11-20');
  });

  test('is filtered by returned payments', async () => {
    await on.open('/sessions');
    await on.page.getByLabel('Returned').check();
    await expect.poll(invoices, soon).toEqual(['INV-1038']);
    await on.page.getByRole('searchbox').fill('not submitted');
    await on.link('Clear filters').click();
    await expect.poll(() => on.page.getByRole('searchbox').inputValue(), soon).toBe('');
  });

  test('says what to do when nothing matches, or when there is nothing yet', async () => {
    await on.open('/sessions?from=2020-01-01&to=2020-01-02');
    await on.expectText('No payment matches these filters');
    await on.open('/sessions', maple);
    await on.expectText('No payments yet');
  });

  test('shows a new status by itself, even where the filter no longer fits', async () => {
    await on.open('/sessions?status=pending');
    await expect.poll(invoices, soon).toEqual(['INV-1051']);
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, status: 'processing' };
    await on.pass(6);
    await on.page.getByRole('cell').getByText('Processing').waitFor();
    expect(on.sent('searchSessions')).toEqual([{ sessionIds: [first!.session.sessionId] }]);
  });

  test('says which sessions nobody can pay, and why', async () => {
    const [first] = on.api.practices[lakeside]!.sessions;
    first!.session = { ...first!.session, blockedBy: 'invoice_already_paid' };
    await on.open('/sessions');
    const row = on.page.getByRole('row', { name: 'INV-1051' });
    await row.getByText('Invoice already paid through another link').waitFor();
    expect(await on.page.getByText('Invoice already paid').count()).toBe(1);
  });

  test('continues at the end, and does not offer more than there is', async () => {
    await on.open('/sessions');
    expect(await invoices()).toHaveLength(50);
    await on.button('Load more').click();
    await expect.poll(invoices, soon).toHaveLength(66);
    expect(await on.button('Load more').count()).toBe(0);
  });

  test('keeps what it has when the next page fails, and tries again', async () => {
    await on.open('/sessions');
    on.api.overrides.listSessions = () => 'hang_up';
    await on.button('Load more').click();
    await on.expectText('The dashboard did not answer.');
    expect(await invoices()).toHaveLength(50);
    on.api.overrides = {};
    await on.button('Try again').click();
    await expect.poll(invoices, soon).toHaveLength(66);
  });

  test('has no names and no way to create for a viewer', async () => {
    on.api.role = 'viewer';
    await on.open('/sessions');
    expect(await on.page.getByRole('columnheader', { name: 'Patient' }).count()).toBe(0);
    expect(await on.link('New payment link').count()).toBe(0);
  });
});

describe('the export', () => {
  const openExport = async () => {
    await on.open('/sessions');
    await on.button('Export CSV').click();
  };
  const exported = () => on.download(on.button('Export'));

  test('reads all pages of the chosen days into a file without formulas', async () => {
    await openExport();
    await on.page.getByLabel('From', { exact: true }).fill('2026-09-01');
    await on.page.getByLabel('To', { exact: true }).fill('2026-11-20');
    const { name, text } = await exported();
    await on.page.getByRole('status').getByText('66 payments exported.').waitFor();
    expect(name).toBe('payments created 2026-09-01 to 2026-11-20.csv');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(67);
    expect(lines[0]).toContain('Created (America/New_York)');
    const [cell] = lines.find((line) => line.includes('HYPERLINK'))?.split(',Maria,') ?? [];
    expect(cell).toBe(`"'=HYPERLINK(""https://evil.example"")",`);
    expect(await on.page.getByRole('dialog').count()).toBe(0);
  });

  test('reads what was paid in the last calendar month, whenever its link was made', async () => {
    const [{ session }] = on.api.practices[lakeside]!.sessions as [SessionDetail];
    const paid = (invoiceId: string, settledAt: string) =>
      ({ ...session, invoiceId, status: 'succeeded', settledAt }) as const;
    const data = [
      paid('INV-LATE', '2026-11-01T05:00:00.000Z'),
      paid('INV-PAID', '2026-10-31T05:00:00.000Z'),
      paid('INV-EARLY', '2026-09-30T05:00:00.000Z'),
    ];
    on.api.overrides.listSessions = ({ query }) => ({ data: query.has('status') ? data : [], nextCursor: null });
    await openExport();
    await on.page.getByLabel('Payments', { exact: true }).selectOption('paid');
    await on.button('Last month').click();
    const { name, text } = await exported();
    expect(name).toBe('payments paid 2026-10-01 to 2026-10-31.csv');
    expect(['INV-LATE', 'INV-PAID', 'INV-EARLY'].filter((invoice) => text.includes(invoice))).toEqual(['INV-PAID']);
  });

  test('has the payout of each payment, from the statements of the months in which it can have been paid', async () => {
    on.api.mode = 'live';
    const [{ session }] = on.api.practices[lakeside]!.sessions as [SessionDetail];
    const paid = { status: 'succeeded', processingAt: '2026-10-30T05:00:00.000Z' } as const;
    const data = [
      { ...session, ...paid, sessionId: 'ses_first', settledAt: '2026-11-04T05:00:00.000Z' },
      { ...session, ...paid, sessionId: 'ses_second', settledAt: '2026-11-05T05:00:00.000Z' },
      { ...session, sessionId: 'ses_open', status: 'pending' } as const,
    ];
    const line = { at: before(0), amountCents: 100, feeCents: 0, netCents: 100, bookingId: 'txn_1' };
    const lines = [
      { ...line, category: 'payment', sessionId: 'ses_first', payoutId: 'po_October' },
      { ...line, category: 'refund', sessionId: 'ses_second', payoutId: 'po_November' },
      { ...line, category: 'payment', sessionId: 'ses_second' },
      { ...line, category: 'payout', payoutId: 'po_October' },
    ];
    on.api.overrides.listSessions = () => ({ data, nextCursor: null });
    on.api.overrides.listStatementLines = ({ query }) => ({ lines: query.get('month') === '2026-10' ? lines : [] });
    await openExport();
    const [head, ...rows] = (await exported()).text.trimEnd().split('\r\n');
    expect(head?.endsWith(',Payout,Session')).toBe(true);
    expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
      ['po_October', 'ses_first'],
      ['', 'ses_second'],
      ['', 'ses_open'],
    ]);
    const asked = on.api.calls.filter(({ route }) => route === 'listStatementLines');
    expect(asked.map(({ query }) => query.get('month'))).toEqual(['2026-10', '2026-11']);
  });

  test('that a sign-in interrupted comes back with its days, and is made at the next press', async () => {
    await on.open('/sessions?status=succeeded');
    await on.button('Export CSV').click();
    await on.page.getByLabel('From', { exact: true }).fill('2026-09-01');
    on.api.signedIn = false;
    await on.signInWith(on.button('Export'));
    await on.expectText('Not exported yet. Press “Export”.');
    expect(await on.page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-09-01');
    await exported();
    await on.dialog().waitFor({ state: 'detached' });
    expect(pathOf()).toBe('?status=succeeded');
  });

  test('shows its progress and can be cancelled', async () => {
    const [{ session }] = on.api.practices[lakeside]!.sessions as [SessionDetail];
    await openExport();
    on.api.overrides.listSessions = ({ query }) =>
      query.has('cursor') ? new Promise(() => undefined) : { data: [session], nextCursor: 'more' };
    await on.page.getByLabel('From', { exact: true }).fill('2026-09-01');
    await on.button('Export').click();
    await on.expectText('1 payment read…');
    expect(Number(await on.page.getByRole('progressbar').getAttribute('value'))).toBeLessThan(0.1);
    await on.button('Cancel').click();
    expect(await on.page.getByRole('dialog').count()).toBe(0);
  });

  test.each([
    ['From', '0001-01-01', 'Choose the first day'],
    ['To', '9999-12-31', 'Choose the last day'],
  ])('asks for another day where no session can be: %s %s', async (label, day, words) => {
    await openExport();
    await on.page.getByLabel(label, { exact: true }).fill(day);
    await on.button('Export').click();
    await on.page.locator('.field.with-error', { hasText: label }).getByText(words).waitFor();
    expect(await on.button('Export').isEnabled()).toBe(true);
  });

  test('names a range that ends before it begins beside its field', async () => {
    await openExport();
    await on.page.getByLabel('From', { exact: true }).fill('2026-11-20');
    await on.page.getByLabel('To', { exact: true }).fill('2026-11-01');
    await on.button('Export').click();
    await expect.poll(() => on.page.getByLabel('To', { exact: true }).getAttribute('aria-invalid'), soon).toBe('true');
    await on.expectText('Choose the first day or a later one');
  });
});
