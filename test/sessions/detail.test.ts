import { expect, it } from 'vitest';
import { toIso } from '../../functions/domain/time.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { findBlock, getSessionDetail, readStatus } from '../../functions/sessions/list.ts';
import { claimInvoice } from '../../functions/store/payments/invoice-claims.ts';
import { insert } from '../../functions/store/rows.ts';
import { recordOpenWithEvent } from '../../functions/store/sessions/patient-writes.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { writeExpiry } from '../../functions/store/sessions/transitions.ts';
import { transact } from '../../functions/store/transact.ts';
import { createDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { markDispatched } from '../../functions/store/webhooks/events.ts';
import { storeSession } from '../support/create-practice.ts';
import { aBankAccount, aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

it('a session’s page has its events, the oldest first, with their deliveries, and says which are still being sent', async () => {
  const practiceId = 'prc_events';
  const stored = await storeSession(database, { practiceId, fee: 25, locale: 'es', bankAccount: aBankAccount }, now);
  const { sessionId } = stored;
  const expiresAt = toIso(now + 1_800_000);
  await recordOpenWithEvent(database, stored, 1800, now);
  await writeExpiry(database, await getExistingSession(database, sessionId), Date.parse(expiresAt));
  const [opened, expired] = [0, 1].map((sequence) => sessionEventId(sessionId, sequence));
  const event = { eventId: opened ?? '', practiceId, type: 'session.payment.opened' } as const;
  await createDelivery(database, event, { practiceId, endpointId: 'whe_1', status: 'enabled' }, now);
  await markDispatched(database, event.eventId);
  const detail = await getSessionDetail({ database }, await getExistingSession(database, sessionId));
  expect(detail).toMatchObject({
    applicationFeeCents: 25,
    bankConnectionAttemptsRemaining: 5,
    locale: 'es',
    bankAccount: aBankAccount,
    events: [
      { eventId: opened, createdAt: toIso(now), isSending: false, deliveries: [{ endpointId: 'whe_1' }] },
      { eventId: expired, createdAt: expiresAt, isSending: true, deliveries: [] },
    ],
  });
  expect(JSON.parse(detail.events[0]?.body ?? '')).toMatchObject({ type: 'session.payment.opened' });
});

it('what blocks a session, and the one that pays instead, is told while it is pending', async () => {
  const practiceId = 'prc_blocks';
  await insert(database, 'practices', aPractice({ practiceId }), 'practiceId');
  const open = await storeSession(database, { practiceId }, now);
  expect(await findBlock({ database }, open, now)).toEqual({});
  const paying = await storeSession(database, { practiceId, status: 'processing' }, now);
  await transact(database, { claim: claimInvoice(database, paying) });
  expect(await findBlock({ database }, open, now)).toEqual({
    block: 'payment_in_progress',
    blockingSessionId: paying.sessionId,
  });
  expect(await readStatus({ database }, open, now)).toMatchObject({ blockedBy: 'payment_in_progress' });
  expect(await findBlock({ database }, open, Date.parse(open.expiresAt))).toEqual({});
});
