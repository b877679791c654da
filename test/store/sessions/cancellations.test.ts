import { describe, expect, it } from 'vitest';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { minute, toIso } from '../../../functions/domain/time.ts';
import { keepIdempotencyKey } from '../../../functions/store/idempotency-keys.ts';
import { requestCancellation, withdrawCancellation } from '../../../functions/store/sessions/cancellations.ts';
import { writeRefundOrder } from '../../../functions/store/sessions/refunds.ts';
import { dueSessions, getExistingSession, recordDebit } from '../../../functions/store/sessions/sessions.ts';
import { writeCancellation, writeSettlement } from '../../../functions/store/sessions/transitions.ts';
import { storeSession } from '../../support/create-practice.ts';
import { listDue } from '../../support/put-all.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const processingAt = '2026-11-20T09:00:00.000Z';
const debit = { debitId: 'debit', submittedAt: processingAt };

const read = ({ sessionId }: Session) => getExistingSession(database, sessionId);
const dueDebits = () => listDue(dueSessions(database, 'debit'), now, 100);

async function asked() {
  const session = await storeSession(database, { status: 'processing', sequence: 1, processingAt });
  await requestCancellation(database, session.sessionId, now);
  return read(session);
}

describe('a cancellation that came too late', () => {
  it('leaves a debit without a record to be submitted again, as of its own time', async () => {
    const session = await asked();
    await withdrawCancellation(database, session);
    expect(await read(session)).toMatchObject({ status: 'processing', dueAt: processingAt });
    expect(await read(session)).not.toHaveProperty('cancelRequestedAt');
    expect(await dueDebits()).toContainEqual({ sessionId: session.sessionId });
  });

  it('never submits a debit again that was recorded in the meantime', async () => {
    const session = await asked();
    await recordDebit(database, session.sessionId, debit);
    await withdrawCancellation(database, session);
    const row = await read(session);
    expect(row).toMatchObject({ status: 'processing', debit });
    for (const name of ['cancelRequestedAt', 'dueAt', 'dueShard']) expect(row).not.toHaveProperty(name);
    expect(await dueDebits()).not.toContainEqual({ sessionId: session.sessionId });
  });

  it('changes nothing of a session that another request has cancelled', async () => {
    const session = await asked();
    await writeCancellation(database, session, now);
    const before = await read(session);
    await withdrawCancellation(database, session);
    expect(await read(session)).toEqual(before);
    expect(await dueDebits()).not.toContainEqual({ sessionId: session.sessionId });
  });

  it('leaves the refund due of a session that was paid and refunded in the meantime', async () => {
    const session = await asked();
    await recordDebit(database, session.sessionId, debit);
    await writeSettlement(database, await read(session), now);
    await writeRefundOrder(database, await read(session), { id: 'order', amountCents: 100 }, undefined, now);
    await withdrawCancellation(database, session);
    const refunds = await listDue(dueSessions(database, 'refund'), now + 2 * minute, 100);
    expect(refunds).toContainEqual({ sessionId: session.sessionId });
  });
});

it('a cancellation that is asked for again keeps its first time, and waits again', async () => {
  const session = await asked();
  await requestCancellation(database, session.sessionId, now + minute);
  expect(await read(session)).toMatchObject({ cancelRequestedAt: toIso(now), dueAt: toIso(now + 3 * minute) });
});

it("a cancellation with another request's key is told so, and is not requested", async () => {
  const session = await storeSession(database, { status: 'processing', sequence: 1, processingAt });
  const key = (requestHash: string) => {
    const request = { practiceId: session.practiceId, key: session.sessionId, requestHash };
    return { idempotencyKey: keepIdempotencyKey(database, request, now) };
  };
  const other = await storeSession(database, { status: 'processing', sequence: 1, processingAt });
  await requestCancellation(database, other.sessionId, now, key('other'));
  expect(await requestCancellation(database, session.sessionId, now, key('this'))).toEqual({ result: 'key_reused' });
  expect(await read(session)).not.toHaveProperty('cancelRequestedAt');
});
