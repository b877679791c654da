import { beforeEach, expect, test } from 'vitest';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside } from './practice-data.ts';

const on = useDashboardInDom();
const invoices = () => on.page.locator('.row-link').allTextContents();
const box = () => on.page.getByRole('searchbox', { name: 'Name, amount, invoice or reference number' });

// Keeps some of each kind.
beforeEach(() => void on.api.practices[lakeside]!.sessions.splice(7));

async function search(text: string): Promise<void> {
  await box().fill(text);
  await on.button('Search').click();
  await on.loaded();
}

test('a patient is found by name, which appears in no address, until the search is cleared', async () => {
  await on.open('/sessions');
  await search(' o’neill j ');
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  expect(on.sent('searchSessions')).toEqual([{ text: 'o’neill j', outcome: [] }]);
  await on.page.getByLabel('Failed').check();
  await on.expectText('Nothing found');
  await on.page.getByLabel('Failed').uncheck();
  await on.page.getByRole('link', { name: 'INV-1051' }).click();
  await on.expectHeading('Invoice INV-1051');
  await on.page.locator('.back').click();
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  expect(await box().inputValue()).toBe('o’neill j');
  const addresses = on.api.calls.map(({ query, params }) => JSON.stringify([query.toString(), params]));
  expect([...addresses, on.page.url()].filter((address) => /neill/i.test(decodeURIComponent(address)))).toEqual([]);

  await on.link('Clear filters').click();
  await expect.poll(invoices, soon).toHaveLength(7);
  expect(await box().inputValue()).toBe('');
});

test('the way back from a payment keeps search and filters, and the menu starts fresh', async () => {
  await on.open('/sessions?from=2026-09-01');
  await search('o’neill');
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  for (const back of [() => on.page.goBack(), () => on.page.locator('.back').click()]) {
    await on.page.getByRole('link', { name: 'INV-1051' }).click();
    await on.expectHeading('Invoice INV-1051');
    await back();
    await expect.poll(invoices, soon).toEqual(['INV-1051']);
    expect(await box().inputValue()).toBe('o’neill');
    expect(on.page.url()).toContain('from=2026-09-01');
  }
  await on.page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click();
  await expect.poll(invoices, soon).toHaveLength(7);
  expect([await box().inputValue(), new URL(on.page.url()).search]).toEqual(['', '']);
  await on.page.goBack();
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
});

test('a receipt number leads to its session, which says who created it and its other links', async () => {
  const [first, , paid] = on.api.practices[lakeside]!.sessions;
  Object.assign(paid!, { createdBy: { kind: 'user', email: 'dana@lakeside.example' } });
  paid!.session = { ...paid!.session, sessionId: 'ses_01KAGPAID0000000SDZMFS4Q7T' };
  first!.session = { ...first!.session, invoiceId: paid!.session.invoiceId };
  await on.open('/sessions');
  await search('Nobody');
  await on.expectText('Nothing found');
  await search('sdzmfs4q7t');
  await expect.poll(invoices, soon).toEqual(['INV-1043']);
  await on.page.locator('.row-link').click();
  await on.expectText('dana@lakeside.example');
  await on.page.locator('dd', { hasText: /^SDZMFS4Q7T$/ }).waitFor();
  const others = on.page.locator('.panel', { hasText: 'Other links of this invoice' });
  await others.getByText('Pending').waitFor();
  expect(await others.getByRole('link').count()).toBe(1);
});

test('what was found shows a new status by itself, even where the filter no longer fits', async () => {
  const [first, second] = on.api.practices[lakeside]!.sessions;
  second!.session = { ...first!.session, sessionId: second!.session.sessionId, invoiceId: 'INV-1050' };
  await on.open('/sessions?status=pending');
  await search('o’neill');
  await expect.poll(invoices, soon).toEqual(['INV-1051', 'INV-1050']);
  first!.session = { ...first!.session, status: 'processing' };
  await on.pass(6);
  await on.page.getByRole('cell').getByText('Processing').waitFor();
});

test.each([
  ['a name', 'Nobody', 'Not all payments could be searched. Type more of the name, or choose other days.'],
  ['a reference number', '7d2kq4m9xa', 'Not all payments could be searched. Choose other days.'],
])('a search for %s that stopped early says so, and what helps', async (_, text, advice) => {
  on.api.overrides.searchSessions = () => ({ data: [], complete: false });
  await on.open('/sessions');
  await search(text);
  await on.expectText('Nothing found');
  await on.expectText(advice);
});

test('a refresh of what was found does not say that there are more', async () => {
  await on.open('/sessions');
  await search('o’neill');
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  const [found] = on.api.practices[lakeside]!.sessions;
  on.api.overrides.searchSessions = () => ({
    data: [{ ...found!.session, status: 'processing' }],
    complete: false,
  });
  await on.pass(6);
  await on.page.getByRole('cell').getByText('Processing').waitFor();
  expect(await on.page.getByText('There may be more').count()).toBe(0);
});

test('what was found is looked for once, and is then asked for by the IDs shown', async () => {
  const { session } = on.api.practices[lakeside]!.sessions[0]!;
  const sessionId = 'ses_01KAGPEND00000000SDZMFS4Q7T';
  on.api.practices[lakeside]!.sessions[0]!.session = { ...session, sessionId };
  await on.open('/sessions');
  await search('sdzmfs4q7t');
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  on.api.practices[lakeside]!.sessions[0]!.session = { ...session, sessionId, status: 'processing' };
  await on.pass(6);
  await on.page.getByRole('cell').getByText('Processing').waitFor();
  const searches = on.sent('searchSessions');
  expect(searches.slice(-2)).toEqual([{ text: 'sdzmfs4q7t', outcome: [] }, { sessionIds: [sessionId] }]);
});

test('a reload shows the same payments by their IDs, because the searched name is not kept', async () => {
  await on.open('/sessions?status=pending');
  await search('o’neill');
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  const kept = await on.page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(kept).toContain('ses_01KAGPENDING0000000000000');
  expect(kept).not.toMatch(/neill/i);

  await on.page.reload();
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  await on.expectText('Your search text is not kept, because it may be a name.');
  expect(await box().inputValue()).toBe('');
  await on.page.getByRole('link', { name: 'INV-1051' }).click();
  await on.expectHeading('Invoice INV-1051');
  await on.page.reload();
  await on.page.locator('.back').click();
  await expect.poll(invoices, soon).toEqual(['INV-1051']);
  expect(on.page.url()).toContain('status=pending');
});

test('a search that the page no longer knows is not taken for the whole list', async () => {
  await on.open('/sessions?search=0a1b2c3d');
  await on.expectText('Search again');
  expect(await invoices()).toEqual([]);
  await on.button('Show all payments').click();
  await expect.poll(invoices, soon).toHaveLength(7);
});

test('an amount that was not found among the newest links may be in other days', async () => {
  on.api.overrides.searchSessions = () => ({ data: [], complete: false });
  await on.open('/sessions');
  await search('$125');
  await on.expectText('An amount needs a dollar sign or cents, like $40 or 85.50, or a name before it');
  await on.expectText('Not all payments could be searched. Choose other days.');
});

test('a viewer, who sees no names, is not offered to search by them', async () => {
  on.api.role = 'viewer';
  await on.open('/sessions');
  expect(await box().count()).toBe(0);
  await on.page.getByRole('searchbox', { name: 'Amount, invoice or reference number' }).waitFor();
  await on.page.getByRole('searchbox', { name: 'Amount, invoice or reference number' }).fill('Nobody');
  await on.button('Search').click();
  await on.expectText('Only staff and admins can search by name.');
});
