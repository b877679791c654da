import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import type { RefundTotals } from '../../functions/domain/payments/refund.ts';
import { recordRefund, writeRefund } from '../../functions/store/sessions/refunds.ts';
import { writeReturn } from '../../functions/store/sessions/transitions.ts';
import { listSessions } from '../../functions/sessions/list.ts';
import { getAlerts } from '../../functions/team/alerts.ts';
import { getHome } from '../../functions/team/home.ts';
import { author, createPractice, storeSession } from '../support/create-practice.ts';
import { practiceTools } from '../practices/a-practice.ts';
import { startTestTables } from '../support/tables.ts';

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
