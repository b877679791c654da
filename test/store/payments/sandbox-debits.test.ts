import { expect, it } from 'vitest';
import { toIso } from '../../../functions/domain/time.ts';
import {
  addSandboxRefund,
  advanceSandboxDebit,
  enterSandboxDebit,
  getSandboxDebit,
  reportSandboxOutcome,
  rescheduleOutcome,
  voidSandboxDebit,
} from '../../../functions/store/payments/sandbox-debits.ts';
import { finishProcessorEvent, insertProcessorEvent } from '../../../functions/store/payments/processor-events.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();
const live = await startTestTables('live');

const now = Date.parse('2026-11-20T09:00:00.000Z');
let sessions = 0;

async function aDebit({ outcomeAt }: { readonly outcomeAt?: number } = { outcomeAt: now }) {
  const sessionId = `ses_${(sessions += 1)}`;
  const { debit, ...row } = await enterSandboxDebit(
    database,
    { sessionId, username: 'user_good', amountCents: 100 },
    now,
    outcomeAt,
  );
  return { ...row, debit: debit! };
}
const refundOf = (refundId: string) => ({ refundId, amountCents: 40, createdAt: toIso(now) });
const storedOf = ({ sessionId }: { readonly sessionId: string }) => getSandboxDebit(database, sessionId);

it('a debit is due only if it has an outcome, and no longer once it is voided', async () => {
  expect(await aDebit({})).not.toHaveProperty('dueAt');
  const debit = await aDebit();
  expect(debit).toHaveProperty('dueAt', toIso(now));
  expect(await voidSandboxDebit(database, debit.sessionId, debit, now)).toBe(true);
  expect(await storedOf(debit)).not.toHaveProperty('dueAt');
});

it('one of two refunds at once is refused, and so is an outcome that was scheduled without it', async () => {
  const debit = await aDebit();
  expect(await addSandboxRefund(database, debit, refundOf('one'), now)).toBe(true);
  expect(await addSandboxRefund(database, debit, refundOf('two'), now)).toBe(false);
  expect(await rescheduleOutcome(database, debit, undefined)).toBe(false);
  const refunded = { ...debit, refunds: [refundOf('one')] };
  expect(await addSandboxRefund(database, refunded, refundOf('two'), now)).toBe(true);
  expect(await addSandboxRefund(database, refunded, refundOf('three'), now)).toBe(false);
  expect((await storedOf(debit))?.refunds).toEqual([refundOf('one'), refundOf('two')]);
});

it('an advance or a report of a debit that was advanced since it was read is refused', async () => {
  const debit = await aDebit();
  const advanced = { ...debit.debit, advanced: [toIso(now)] };
  expect(await advanceSandboxDebit(database, debit, advanced, now)).toBe(true);
  const { reportedAt } = (await storedOf(debit))!;
  expect(await advanceSandboxDebit(database, { ...debit, reportedAt }, advanced, now)).toBe(false);
  expect(await reportSandboxOutcome(database, debit, now)).toBe(false);
});

it('a notification that is gone once it was handled does not come back', async () => {
  await finishProcessorEvent(live.database, { sessionId: 'ses_gone', processorEventId: 'evt_1' }, now);
  const event = { sessionId: 'ses_gone', processorEventId: 'evt_1', type: 'payment_intent.succeeded' };
  expect(await insertProcessorEvent(live.database, event, now)).toBe(true);
});
