import { beforeEach, describe, expect, it } from 'vitest';
import { platformAccount, type Reconciliation, type Progress } from '../../functions/domain/payments/booking.ts';
import { day, toIso } from '../../functions/domain/time.ts';
import { getStatement } from '../../functions/payments/statement.ts';
import { readBooks, readDisputes } from '../../functions/payments/read-books.ts';
import { stripeBooks } from '../../functions/processors/stripe/books.ts';
import { stripeCaller } from '../../functions/processors/stripe/client.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { listBookings, readReconciliations } from '../../functions/store/payments/bookings.ts';
import { insert } from '../../functions/store/rows.ts';
import { catchUp } from '../../functions/payments/catch-up.ts';
import type { ListPage } from '../../functions/processors/processor.ts';
import { startLivePayments } from '../processors/stripe/live-payments.ts';
import { aPractice } from '../support/examples.ts';

const { database, stripe, readSecret, pay, settle } = await startLivePayments();
const { control } = stripe;

let tickets: Ticket[] = [];
beforeEach(() => {
  tickets = [];
});

const tools = {
  database,
  clock: Date.now,
  books: stripeBooks(database, stripeCaller(readSecret, stripe.apiBase)),
  sendSettlements: async (sent: readonly Ticket[]) => void tickets.push(...sent),
};
const limits = { deadline: Infinity, ticketInterval: 0 };
const soon = () => toIso(Date.now() + 60_000);
const afterDays = (days: number) => toIso(Date.now() + days * day);

async function aPracticeOf(account: string) {
  const practiceId = `prc_${account}`;
  await insert(database, 'practices', aPractice({ practiceId, timeZone: 'UTC' }), 'practiceId');
  return { account, practiceId };
}

const stored = async ({ account }: Reconciliation) =>
  (await readReconciliations(database)).find((each) => each.account === account) ?? { account };

async function statementOf(practiceId: string) {
  const { days, payouts } = await getStatement({ database }, { practiceId, month: undefined }, Date.now());
  return { days, payouts };
}

describe('the books of a practice', () => {
  it('say what was paid, what it cost and that it is in transit, then what the payout brought', async () => {
    const { account, debitId } = await pay('success');
    const practice = await aPracticeOf(account);
    await control.settle(debitId, 'success');
    await readBooks(tools, practice, { ...limits, until: soon() });
    const amounts = { grossCents: 18_250, returnedCents: 0, feeCents: 146, netCents: 18_104 };
    expect(await statementOf(practice.practiceId)).toMatchObject({
      days: [{ ...amounts, inTransitCents: 18_104, payoutIds: [] }],
      payouts: [],
    });
    const { id, amount } = await control.payOut(account);
    await readBooks(tools, { ...practice, ...(await stored(practice)) }, { ...limits, until: afterDays(2) });
    expect(amount).toBe(18_104);
    expect(await statementOf(practice.practiceId)).toMatchObject({
      days: [{ ...amounts, inTransitCents: 0, payoutIds: [id] }],
      payouts: [{ payoutId: id, amountCents: 18_104, ...amounts, status: 'paid', addsUp: true }],
    });
  });

  it('have no gross and no return of debits that failed or are processing', async () => {
    const { account, debitId } = await pay('success');
    const practice = await aPracticeOf(account);
    await control.settle(debitId, 'success');
    const failed = await pay('stays_processing', 'direct', account);
    await pay('stays_processing', 'direct', account);
    await readBooks(tools, practice, { ...limits, until: soon() });
    const settled = { grossCents: 18_250, returnedCents: 0, otherCents: 0, feeCents: 146, netCents: 18_104 };
    const { practiceId } = practice;
    expect((await statementOf(practiceId)).days).toMatchObject([{ ...settled, processingCents: 2 * 18_104 }]);
    await control.advance(2 * day);
    await control.settle(failed.debitId, 'insufficient_funds');
    await readBooks(tools, { ...practice, ...(await stored(practice)) }, { ...limits, until: afterDays(3) });
    const { days, payouts } = await statementOf(practiceId);
    expect(days).toMatchObject([{ ...settled, processingCents: 18_104, inTransitCents: 18_104 }]);
    expect(payouts).toEqual([]);
    await control.advance(-2 * day);
  });

  it('have returns with their fee, and the debit is looked up', async () => {
    const { account, debitId, sessionId } = await pay('success');
    const practice = await aPracticeOf(account);
    await control.settle(debitId, 'success');
    await control.return(debitId, 'insufficient_funds');
    await readBooks(tools, practice, { ...limits, until: soon() });
    expect((await statementOf(practice.practiceId)).days).toMatchObject([
      { grossCents: 18_250, returnedCents: -18_250, feeCents: 546, netCents: -546 },
    ]);
    expect(tickets.map(({ body }) => body)).toEqual([{ sessionId, comparison: 'last' }]);
  });

  it('of a destination charge are read from our account and from theirs', async () => {
    const { account, debitId, sessionId } = await pay('success', 'destination');
    const practice = await aPracticeOf(account);
    await control.settle(debitId, 'success');
    await readBooks(tools, { account: platformAccount }, { ...limits, until: soon() });
    expect(tickets.map(({ body }) => body)).toContainEqual({ sessionId, comparison: 'last' });
    await readBooks(tools, practice, { ...limits, until: soon() });
    expect((await statementOf(practice.practiceId)).days).toMatchObject([{ grossCents: 18_250, netCents: 18_250 }]);
    const [booking] = await listBookings(database, practice.practiceId, { from: '2026', to: '2100' });
    expect(booking).toMatchObject({ category: 'payment', sessionId });
  });

  it('of a return after the payout are owed until a negative payout debits the bank', async () => {
    const { account, debitId } = await pay('success');
    const practice = await aPracticeOf(account);
    await control.settle(debitId, 'success');
    await control.payOut(account);
    await control.return(debitId);
    const { id, amount } = await control.payOut(account);
    expect(amount).toBe(-18_650);
    await readBooks(tools, practice, { ...limits, until: soon() });
    const { days, payouts } = await statementOf(practice.practiceId);
    expect(days).toMatchObject([{ grossCents: 18_250, returnedCents: -18_250, inTransitCents: 0 }]);
    expect(payouts.find(({ payoutId }) => payoutId === id)).toMatchObject({
      amountCents: -18_650,
      returnedCents: -18_250,
      netCents: -18_650,
      addsUp: true,
    });
  });

  it('of a failed payout are in transit again, until another payout delivers them', async () => {
    const { account, debitId } = await pay('success');
    const practice = await aPracticeOf(account);
    await control.settle(debitId, 'success');
    const { id: failedId } = await control.payOut(account);
    await control.failPayout(failedId, 'no_account');
    await readBooks(tools, practice, { ...limits, until: soon() });
    expect(await statementOf(practice.practiceId)).toMatchObject({
      days: [{ netCents: 18_104, inTransitCents: 18_104, payoutIds: [], failedPayoutIds: [failedId] }],
      payouts: [{ payoutId: failedId, status: 'failed', failureCode: 'no_account', addsUp: true }],
    });
    const { id } = await control.payOut(account);
    await readBooks(tools, { ...practice, ...(await stored(practice)) }, { ...limits, until: afterDays(2) });
    const { days, payouts } = await statementOf(practice.practiceId);
    expect(days).toMatchObject([{ inTransitCents: 0, payoutIds: [id], failedPayoutIds: [failedId] }]);
    const brought = { otherCents: 18_104, amountCents: 18_104, addsUp: true, failedPayoutIds: [failedId] };
    expect(payouts.find(({ payoutId }) => payoutId === failedId)).toMatchObject({ nextPayoutId: id });
    expect(payouts.find(({ payoutId }) => payoutId === id)).toMatchObject({ status: 'paid', ...brought });
  });

  it.each([
    ['a return', { returnedCents: -18_250, refundedCents: 0 }],
    ['a refund', { returnedCents: 0, refundedCents: -18_250 }],
  ])('show a reversed transfer as %s', async (what, amounts) => {
    const { account, debitId, sessionId } = await pay('success', 'destination');
    const practice = await aPracticeOf(account);
    await control.settle(debitId, 'success');
    if (what === 'a return') {
      await control.return(debitId);
      await settle(sessionId);
    } else await control.refund(debitId, { reverseTransfer: true });
    await readBooks(tools, practice, { ...limits, until: soon() });
    expect((await statementOf(practice.practiceId)).days).toMatchObject([
      { grossCents: 18_250, ...amounts, netCents: 0 },
    ]);
  });

  it.each(['direct', 'destination'] as const)('list the disputes of %s charges once a day', async (chargeType) => {
    const { account, debitId, sessionId } = await pay('success', chargeType);
    await control.settle(debitId, 'success');
    await control.return(debitId);
    const owner = chargeType === 'direct' ? { account } : { account: platformAccount };
    const lookedUp = () => tickets.splice(0).filter(({ body }) => 'sessionId' in body && body.sessionId === sessionId);
    const known = await stored(owner);
    await readDisputes(tools, { ...known, disputes: undefined }, { ...limits, until: soon() });
    expect(lookedUp()).toMatchObject([{ body: { comparison: 'last' } }]);
    await readDisputes(tools, await stored(owner), { ...limits, until: soon() });
    expect(lookedUp()).toEqual([]);
  });

  it('wait for the next run if this one has no time left', async () => {
    const { account } = await pay('success');
    const practice = await aPracticeOf(account);
    expect(await readBooks(tools, practice, { ...limits, deadline: 0, until: soon() })).toBe(false);
    expect(await readBooks(tools, practice, { ...limits, until: soon() })).toBe(true);
  });

  it('have their payouts read by the next run if this one cannot', async () => {
    const { account } = await pay('success');
    const practice = await aPracticeOf(account);
    const listPayouts = () => Promise.reject(new Error('no answer'));
    const failing = { ...tools, books: { ...tools.books, listPayouts } };
    await expect(readBooks(failing, practice, { ...limits, until: soon() })).rejects.toThrow('no answer');
    expect(await readBooks(tools, { ...practice, ...(await stored(practice)) }, { ...limits, until: soon() })).toBe(
      true,
    );
  });

  it('are read once a day', async () => {
    const { account } = await pay('success');
    const practice = await aPracticeOf(account);
    expect(await readBooks(tools, practice, { ...limits, until: soon() })).toBe(true);
    const before = await stored(practice);
    expect(await readBooks(tools, { ...practice, ...before }, { ...limits, until: soon() })).toBe(false);
    expect(await readBooks(tools, { ...practice, ...before }, { ...limits, until: afterDays(2) })).toBe(true);
  });
});

const [monday, tuesday, wednesday] = ['2026-11-16', '2026-11-17', '2026-11-18'].map((day) => `${day}T00:00:00.000Z`);

/** A list with three pages in each period. */
function aList({ failsAt }: { failsAt?: string } = {}) {
  const read: ListPage[] = [];
  let saved: Progress = { from: monday! };
  return {
    read,
    saved: () => saved,
    run: (until: string, progress: Progress = saved, clock = () => 0) =>
      catchUp(
        progress,
        { until, clock, deadline: 100 },
        async (page) => {
          if (failsAt !== undefined && page.after === failsAt) throw new Error('no answer');
          read.push(page);
          return { none: 'a', a: 'b', b: undefined }[page.after ?? 'none'];
        },
        async (progress) => void (saved = progress),
      ),
  };
}

describe('catching up with a list', () => {
  it('reads all pages of a period and remembers its end', async () => {
    const list = aList();
    expect(await list.run(tuesday!)).toEqual({ from: tuesday });
    expect(list.saved()).toEqual({ from: tuesday });
    expect(list.read.map(({ after }) => after)).toEqual([undefined, 'a', 'b']);
  });

  it('continues after the last page that was read, then reads newer pages', async () => {
    const list = aList({ failsAt: 'b' });
    await expect(list.run(tuesday!)).rejects.toThrow('no answer');
    const next = aList();
    await next.run(wednesday!, list.saved());
    expect(next.read).toEqual([
      { from: monday, to: tuesday, after: 'b' },
      { from: tuesday, to: wednesday, after: undefined },
      { from: tuesday, to: wednesday, after: 'a' },
      { from: tuesday, to: wednesday, after: 'b' },
    ]);
  });

  it('stops at the deadline and says what is left', async () => {
    const list = aList();
    let time = 0;
    expect(await list.run(tuesday!, undefined, () => (time += 60))).toEqual({ from: monday, to: tuesday, after: 'a' });
  });
});
