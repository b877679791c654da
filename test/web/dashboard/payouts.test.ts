import { beforeEach, describe, expect, test } from 'vitest';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { anOpenedPayout, paidSessionId, aStatement } from './payment-data.ts';
import { before } from './time-data.ts';

const on = useDashboardInDom();

beforeEach(() => {
  on.api.mode = 'live';
});

describe('the payouts', () => {
  test('say per day what was earned, returned and is in transit', async () => {
    await on.open('/payouts?month=2026-11');
    const row = on.page.getByRole('row').filter({ hasText: 'Nov 10, 2026' });
    await expect.poll(() => row.allInnerTexts()).toHaveLength(1);
    const [text = ''] = await row.allInnerTexts();
    for (const amount of ['$964.00', '-$182.50', '-$11.71', '$769.79']) expect(text).toContain(amount);
  });

  test('say which payout failed, why, and which one delivered its money', async () => {
    await on.open('/payouts?month=2026-11');
    const rowOf = (payoutId: string) =>
      on.page.getByRole('row').filter({ has: on.page.locator('code', { hasText: payoutId }) });
    await expect.poll(() => rowOf('po_2Failed').innerText()).toContain('Its money is part of po_4TestPayout.');
    expect(await rowOf('po_4TestPayout').innerText()).toContain(
      'Other includes the money from po_2Failed, which failed.',
    );
    expect(await rowOf('po_3Failed').innerText()).toContain('The bank account is closed.');
    await on.expectText('A payout of $769.79 failed');
    await on.link('the practice’s settings').waitFor();
  });

  test('say what a negative balance means, whichever month is shown', async () => {
    const balance = { availableCents: -20_560, at: before(0) };
    on.api.overrides.getStatement = () => ({ ...aStatement('2026-01'), balance });
    await on.open('/payouts?month=2026-01');
    await on.expectText('You owe Stripe $205.60');
    await on.expectText('Until it is paid off, there are no payouts, and refunds can stay pending.');
  });

  test('say that Stripe took a negative payout from the bank, or could not', async () => {
    const taken = { ...aStatement('2026-11').payouts[0]!, payoutId: 'po_Taken', amountCents: -20_560 };
    const refused = { ...taken, payoutId: 'po_Refused', status: 'failed', failureCode: 'no_account' } as const;
    on.api.overrides.getStatement = () => ({ ...aStatement('2026-11'), payouts: [taken, refused] });
    on.api.overrides.getPayout = () => ({
      payout: taken,
      lines: [
        { ...anOpenedPayout('').lines[0]!, category: 'payout_reversal', amountCents: -416_64, netCents: -416_64 },
      ],
    });
    await on.open('/payouts?month=2026-11');
    const rowOf = (payoutId: string) =>
      on.page.getByRole('row').filter({ has: on.page.locator('code', { hasText: payoutId }) });
    await expect.poll(() => rowOf('po_Taken').innerText()).toMatch(/Taken[^]*From your bank on Nov 9, 2026/);
    expect(await rowOf('po_Refused').innerText()).toContain('The bank has no such account. You still owe it.');
    await on.expectText('Stripe could not take $205.60 from your bank');
    await on.link('po_Taken').click();
    await on.expectHeading('$205.60 taken from your bank');
    await on.expectText('Withdrawal sent back');
  });

  test.each([
    [10, 1, 'Too few to tell', 'a single one that was returned is 10%'],
    [10, 2, 'Too high', 'call the patient before you ask for the money again'],
    [240, 1, 'Half or more', 'call the patient before you ask for the money again'],
  ])('of %i debits with %i returned say what the ceilings mean and what to do', async (debits, returns, tag, words) => {
    const unauthorized = { kind: 'unauthorized', returns, rate: returns / debits, ceiling: 0.005 } as const;
    const returnRates = { debits, rates: [unauthorized] };
    on.api.overrides.getStatement = () => ({ ...aStatement('2026-01'), returnRates });
    await on.open('/payouts?month=2026-01');
    await on.expectText(words);
    expect(await on.page.getByRole('row').filter({ hasText: 'Not authorized' }).innerText()).toContain(tag);
  });

  test('add up to the month', async () => {
    await on.open('/payouts?month=2026-11');
    const row = on.page.getByRole('row').filter({ hasText: /^Month/ });
    await expect.poll(() => row.innerText()).toContain('$1,986.50');
    expect(await row.innerText()).toContain('$695.00');
  });

  test('open to their invoices, which lead to the payments, which lead back', async () => {
    await on.open('/payouts?month=2026-11');
    await on.link('po_1TestPayout').click();
    await on.expectHeading('Payout of $181.04');
    await on.link('INV-1042').click();
    await on.link('Nov 9, 2026').click();
    await on.expectHeading('Payout of $181.04');
    expect((await on.download(on.button('Export CSV'))).text).toContain('Paid,INV-1042,SDZMFS4Q7T');
  });

  test('of a payment that the bank sent back is not shown as a day on which it arrived', async () => {
    on.api.overrides.getPayoutOfSession = () => ({
      payout: { payoutId: 'po_2Failed', arrivesOn: '2026-11-11', status: 'failed' },
    });
    await on.open(`/sessions/${paidSessionId}`);
    await on.link('Did not reach your bank').waitFor();
    expect(await on.link('Nov 11, 2026').count()).toBe(0);
  });

  test('lead from the deposit to the payout whose money it brought, and back', async () => {
    const [, failed, again] = aStatement('2026-11').payouts;
    await on.open('/payouts?month=2026-11');
    on.api.overrides.getPayout = () => ({ payout: again!, lines: [] });
    await on.link('po_4TestPayout').first().click();
    await on.expectHeading('Payout of $416.64');
    on.api.overrides.getPayout = () => ({ payout: failed!, lines: [] });
    await on.link('po_2Failed').click();
    await on.expectText('Its money is part of');
    await on.link('po_4TestPayout').waitFor();
  });

  test('tell the two halves of a failed debit apart', async () => {
    const { payout, lines } = anOpenedPayout('po_1TestPayout');
    const halves = [5_000, -5_000].map((amountCents) => ({ ...lines[0]!, category: 'failure' as const, amountCents }));
    on.api.overrides.getPayout = () => ({ payout, lines: halves });
    await on.open('/payouts/po_1TestPayout');
    const rows = on.page.getByRole('row').filter({ hasText: 'Failed debit' });
    await expect
      .poll(async () => (await rows.allInnerTexts()).join())
      .toMatch(/Failed debit\s+INV[^]*Failed debit taken back/);
  });

  test('of another month are a click away', async () => {
    await on.open('/payouts?month=2026-01');
    await on.button('Previous month').click();
    await on.expectText('December 2025');
    expect(on.callsOf('getStatement').at(-1)?.query.get('month')).toBe('2025-12');
  });

  test('can be exported with numbers that a spreadsheet adds up', async () => {
    await on.open('/payouts?month=2026-11');
    const { name, text } = await on.download(on.button('Export CSV'));
    expect(name).toBe('statement 2026-11.csv');
    const lines = text.split('\r\n');
    const head = '\uFEFFDate,What happened,Invoice,Receipt number,Amount,Fee,Net,Payout,Session,ID,Service fee';
    const paid = `2026-11-03,Paid,INV-1042,SDZMFS4Q7T,182.50,-1.46,181.04,,${paidSessionId},txn_1,-0.46`;
    expect(lines.slice(0, 2)).toEqual([head, paid]);
  });

  test('can be exported one by one, to compare with what the bank got', async () => {
    await on.open('/payouts?month=2026-11');
    const { name, text } = await on.download(on.button('Export payouts'));
    expect(name).toBe('payouts 2026-11.csv');
    const [head = '', ...lines] = text.split('\r\n');
    expect(head).toBe(
      '\uFEFFMade,Status,Arrives,Gross,Refunded,Returned,Other,Fee,Amount,Payout,Failed payouts,Next payout,Service fee',
    );
    expect(lines).toContain(
      '2026-11-09,failed,2026-11-11,420.00,0.00,0.00,0.00,-3.36,416.64,po_2Failed,,po_4TestPayout,0.00',
    );
  });

  test('show which return rate is too close to its ceiling', async () => {
    await on.open('/payouts');
    const row = on.page.getByRole('row').filter({ hasText: 'Not authorized' });
    await expect.poll(() => row.innerText()).toContain('Half or more');
  });

  test('have no place in the sandbox', async () => {
    on.api.mode = 'sandbox';
    await on.open('');
    await on.expectHeading('Home');
    expect(await on.link('Payouts').count()).toBe(0);
    await on.open('/payouts');
    await on.expectText('A sandbox has no payouts');
    await on.open('/payouts/po_4TestPayout');
    await on.expectHeading('There is no such page');
    expect([...on.callsOf('getStatement'), ...on.callsOf('getPayout')]).toEqual([]);
  });
});
