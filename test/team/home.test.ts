import { randomBytes } from 'node:crypto';
import { expect, test, beforeEach } from 'vitest';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { minute, toIso, day } from '../../functions/domain/time.ts';
import type { RefundTotals } from '../../functions/domain/payments/refund.ts';
import { recordRefund, writeRefund } from '../../functions/store/sessions/refunds.ts';
import { writeReturn } from '../../functions/store/sessions/transitions.ts';
import { listSessions } from '../../functions/sessions/list.ts';
import { getAlerts } from '../../functions/team/alerts.ts';
import { getHome } from '../../functions/team/home.ts';
import { claimInvoice } from '../../functions/store/payments/invoice-claims.ts';
import { transact } from '../../functions/store/transact.ts';
import { replaceToken } from '../../functions/store/sessions/session-links.ts';
import { practiceTools, aPractice } from '../practices/a-practice.ts';
import { author, createPractice, storeSession, anEntry } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { aSession } from '../support/examples.ts';

const tables = await startTestTables();
const { database } = tables;
const now = Date.parse('2026-11-20T10:00:00.000Z');
const whole = 10_000;

async function practiceWith(...refunds: readonly RefundTotals[]) {
  const { practiceId } = await createPractice(practiceTools(tables), { name: 'Lakeside', author }, now);
  const sessions: Session[] = [];
  for (const totals of [undefined, ...refunds]) {
    const paid = await storeSession(
      database,
      {
        sessionId: `ses_${ulid(now - minute, randomBytes)}`,
        practiceId,
        status: 'succeeded',
        amountCents: whole,
        settledAt: toIso(now),
      },
      now - minute,
    );
    if (!totals) continue;
    const { result, session } =
      totals.status === 'pending'
        ? await recordRefund(database, paid, totals, now)
        : await writeRefund(database, paid, totals.status === 'failed' ? 'failRefund' : 'refund', totals, now);
    expect(result).toBe('written');
    sessions.push(session);
  }
  const paidToday = async () =>
    (await getHome({ database, mode: 'sandbox' }, { practiceId }, now + minute)).days.at(-1)?.paid;
  return { practiceId, sessions, paidToday };
}

const refunded: RefundTotals = { amountCents: whole, status: 'succeeded' };
const pending: RefundTotals = { amountCents: whole, status: 'pending', pendingCents: whole };
const failed: RefundTotals = { amountCents: 0, status: 'failed', failedCents: whole };

test.each([
  ['that was refunded in full is not', refunded, { count: 1, cents: whole }],
  ['that was refunded in part counts with the rest', { ...refunded, amountCents: 2_500 }, { count: 2, cents: 17_500 }],
  ['whose refund is on its way still counts', pending, { count: 2, cents: 2 * whole }],
  ['whose refund failed still counts', failed, { count: 2, cents: 2 * whole }],
])("in Home's totals of what was paid, a payment %s", async (_, totals, paid) => {
  const { paidToday } = await practiceWith(totals);
  expect(await paidToday()).toEqual(paid);
});

test('a return after a refund counts once, and is listed as a return', async () => {
  const { practiceId, sessions, paidToday } = await practiceWith({ ...refunded, amountCents: 2_500 });
  const [session] = sessions;
  const code = 'insufficient_funds';
  await writeReturn(database, session ?? expect.fail('nothing was refunded'), { code }, now);
  expect(await paidToday()).toEqual({ count: 1, cents: whole });
  const list = () => listSessions({ database }, { practiceId, returned: true, limit: 10 }, now);
  expect((await list()).sessions.map(({ sessionId }) => sessionId)).toEqual([session?.sessionId]);
  const stale = await recordRefund(database, session ?? expect.fail(), pending, now);
  expect(stale.result, 'looked up before the return').toBe('changed');
  expect((await list()).sessions).toHaveLength(1);
});

test('a refund that the processor no longer knows counts for nothing', async () => {
  const { practiceId, sessions, paidToday } = await practiceWith({ ...refunded, amountCents: 2_500 });
  await recordRefund(database, sessions[0] ?? expect.fail('nothing was refunded'), { amountCents: 0 }, now);
  expect(await paidToday()).toEqual({ count: 2, cents: 2 * whole });
  expect((await getAlerts({ database }, { practiceId }, now)).refundFailed).toEqual([]);
});

test('alerts name the payments whose last refund failed', async () => {
  const { practiceId, sessions } = await practiceWith(refunded, failed, pending);
  const { refundFailed, returned } = await getAlerts({ database }, { practiceId }, now);
  expect(refundFailed.map(({ sessionId }) => sessionId)).toEqual([sessions[1]?.sessionId]);
  expect(returned).toEqual([]);
});

let practiceId = '';
beforeEach(async () => void ({ practiceId } = await aPractice(tables)));
const daysAgo = (days: number) => toIso(now - days * day);

async function store(createdDaysAgo: number, difference: Partial<Session>): Promise<string> {
  const createdAt = now - createdDaysAgo * day;
  const sessionId = `ses_${ulid(createdAt, randomBytes)}`;
  await storeSession(database, { sessionId, practiceId, createdAt: toIso(createdAt), ...difference }, createdAt);
  return sessionId;
}

const returnedAt = (days: number): Partial<Session> => ({
  status: 'succeeded',
  return: { code: 'insufficient_funds', returnedAt: daysAgo(days) },
});
const failedAt = (days: number): Partial<Session> => ({
  status: 'failed',
  failedAt: daysAgo(days),
  failure: { code: 'account_closed', message: 'The account is closed.' },
});
const askedAt = (days: number): Partial<Session> => ({
  status: 'cancelled',
  cancelledAt: daysAgo(days + 1),
  cancellation: { reason: 'expired' },
  linkRequestedAt: daysAgo(days),
  linkRequestedThrough: aSession().tokenHash,
});

test('alerts cover the last 30 days, newest first, whenever the session was created', async () => {
  const returnedYesterday = await store(20, returnedAt(1));
  const returnedToday = await store(90, returnedAt(0));
  await store(80, returnedAt(31));
  const failedToday = await store(60, failedAt(0));
  await store(60, failedAt(40));

  const { returned, failed } = await getAlerts({ database }, { practiceId }, now);
  expect(returned.map(({ sessionId }) => sessionId)).toEqual([returnedToday, returnedYesterday]);
  expect(failed.map(({ sessionId }) => sessionId)).toEqual([failedToday]);
});

test('alerts leave out a payment whose invoice another session has paid since', async () => {
  const invoiceId = 'INV-paid-since';
  const open = await store(3, { ...failedAt(3), invoiceId: 'INV-open' });
  await store(3, { ...failedAt(3), invoiceId });
  await store(2, { ...returnedAt(1), invoiceId });
  const paying = await store(1, { status: 'succeeded', invoiceId });
  await transact(database, { claim: claimInvoice(database, { practiceId, invoiceId, sessionId: paying }) });

  const { returned, failed } = await getAlerts({ database }, { practiceId }, now);
  const invoices = [...returned, ...failed].map((session) => session.invoiceId);
  expect(invoices).not.toContain(invoiceId);
  expect(failed.map(({ sessionId }) => sessionId)).toContain(open);
});

test('alerts name the patients who asked for a new link and have not received one', async () => {
  const [paid, scrubbed] = ['INV-paying', 'INV-scrubbed'];
  const yesterday = await store(200, { ...askedAt(1), invoiceId: 'INV-yesterday' });
  const today = await store(90, { ...askedAt(0), invoiceId: 'INV-today' });
  await store(60, { ...askedAt(31), invoiceId: 'INV-long-ago' });
  await store(40, { ...askedAt(2), invoiceId: 'INV-anew' });
  await store(1, { invoiceId: 'INV-anew' });
  const older = await store(40, { ...askedAt(2), invoiceId: 'INV-has-older-session' });
  await store(41, { invoiceId: 'INV-has-older-session' });
  await store(40, { ...askedAt(2), invoiceId: paid });
  const paying = await store(39, { status: 'processing', invoiceId: paid });
  await transact(database, { claim: claimInvoice(database, { practiceId, invoiceId: paid, sessionId: paying }) });
  await store(40, { ...askedAt(2), invoiceId: scrubbed, scrubbedAt: daysAgo(0) });
  const replaced = await store(40, { ...askedAt(2), invoiceId: 'INV-replaced' });
  await replaceToken(database, replaced, { tokenHash: 'another', audit: anEntry(practiceId) }, now);

  const { linkRequests, returned } = await getAlerts({ database }, { practiceId }, now);
  expect(linkRequests.map(({ sessionId }) => sessionId)).toEqual([today, yesterday, older]);
  expect(returned).toEqual([]);
});

test('alerts leave out a payment whose invoice another session pays, even where an invoice may be paid twice', async () => {
  ({ practiceId } = await aPractice(tables, { invoiceGuard: false }));
  const claimed = 'INV-being-paid';
  await store(3, { ...failedAt(3), invoiceId: claimed });
  const paying = await store(1, { status: 'processing', invoiceId: claimed });
  await transact(database, { claim: claimInvoice(database, { practiceId, invoiceId: claimed, sessionId: paying }) });
  await store(3, { ...failedAt(3), invoiceId: 'INV-unclaimed' });
  await store(1, { status: 'succeeded', processingAt: daysAgo(1), invoiceId: 'INV-unclaimed' });
  const installment = await store(3, { ...failedAt(3), invoiceId: 'INV-other-part' });
  await store(1, { status: 'succeeded', processingAt: daysAgo(1), invoiceId: 'INV-other-part', amountCents: 1 });
  const earlier = await store(3, { ...failedAt(3), invoiceId: 'INV-paid-before' });
  await store(5, { status: 'succeeded', processingAt: daysAgo(5), invoiceId: 'INV-paid-before' });

  const { failed } = await getAlerts({ database }, { practiceId }, now);
  expect(failed.map(({ sessionId }) => sessionId).sort()).toEqual([installment, earlier].sort());
});

test.each([true, false])(
  'alerts name a payment that was refunded and then returned, even once another session pays its invoice; guard: %s',
  async (invoiceGuard) => {
    ({ practiceId } = await aPractice(tables, { invoiceGuard }));
    const invoiceId = 'INV-paid-back-twice';
    const refund = { amountCents: 300, refundedAt: daysAgo(4) };
    const twice = await store(9, { ...returnedAt(3), invoiceId, refund });
    const failedRefund = { amountCents: 0, failedCents: 300, refundedAt: daysAgo(4), status: 'failed' } as const;
    await store(9, { ...returnedAt(3), invoiceId, refund: failedRefund });
    const paying = await store(2, { status: 'succeeded', processingAt: daysAgo(2), invoiceId });
    if (invoiceGuard)
      await transact(database, { claim: claimInvoice(database, { practiceId, invoiceId, sessionId: paying }) });

    const { returned } = await getAlerts({ database }, { practiceId }, now);
    expect(returned.map(({ sessionId }) => sessionId)).toEqual([twice]);
  },
);

test('ten newer failures whose invoices were paid since, or requests that were answered, hide no older ones', async () => {
  ({ practiceId } = await aPractice(tables, { invoiceGuard: false }));
  const unpaid = await store(9, { ...failedAt(9), invoiceId: 'INV-unpaid' });
  const unanswered = await store(40, { ...askedAt(9), invoiceId: 'INV-unanswered' });
  for (let index = 0; index < 10; index += 1) {
    await store(5, { ...failedAt(5), invoiceId: `INV-paid-${index}` });
    await store(2, { status: 'succeeded', processingAt: daysAgo(2), invoiceId: `INV-paid-${index}` });
    await store(40, { ...askedAt(5), invoiceId: `INV-answered-${index}` });
    await store(2, { invoiceId: `INV-answered-${index}` });
  }

  const { failed, linkRequests } = await getAlerts({ database }, { practiceId }, now);
  expect(failed.map(({ sessionId }) => sessionId)).toEqual([unpaid]);
  expect(linkRequests.map(({ sessionId }) => sessionId)).toEqual([unanswered]);
});

test('where an invoice can be paid only once, failures cost no further queries: their claims say who pays', async () => {
  const queries = async () => {
    let count = 0;
    const counting = beforeEachCall(database, ({ operation }) => void (count += operation === 'Query' ? 1 : 0));
    const { failed } = await getAlerts({ database: counting }, { practiceId }, now);
    return { count, failed: failed.length };
  };
  const without = await queries();
  await store(3, { ...failedAt(3), invoiceId: 'INV-first' });
  await store(3, { ...failedAt(3), invoiceId: 'INV-second' });
  expect(await queries()).toEqual({ count: without.count, failed: 2 });
  expect(without.count).toBeGreaterThan(0);
});
