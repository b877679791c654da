import { expect, it } from 'vitest';
import { addUpFees } from '../../bin/practice/platform-fees.ts';
import { bookingKey } from '../../functions/domain/payments/booking.ts';
import { insertBooking } from '../../functions/store/payments/bookings.ts';
import { put } from '../../functions/store/writes.ts';
import { transact } from '../../functions/store/transact.ts';
import { countRequests } from '../support/answered-client.ts';
import { aPractice } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables('live');
const platformId = 'plt_fees';
const now = Date.parse('2026-12-02T10:00:00.000Z');

async function storePractice(practiceId: string, membership: object) {
  const row = aPractice({ practiceId, name: practiceId, timeZone: 'UTC', ...membership });
  await transact(database, { practice: put(database, 'practices', row) });
}

async function book(practiceId: string, bookedAt: string, category: 'payment' | 'refund', applicationFeeCents: number) {
  const amounts = { amountCents: 10_000, feeCents: applicationFeeCents + 80, applicationFeeCents, netCents: 9_000 };
  const bookingId = bookingKey(bookedAt, `txn_${category}`);
  await insertBooking(database, { practiceId, bookingId, bookedAt, category, ...amounts });
}

it("adds up the operator's fee of a platform's practices in a month, less what refunds returned", async () => {
  const row = { platformId, name: 'Harbor', createdAt: '2026-10-01T00:00:00.000Z' };
  await transact(database, { platform: put(database, 'platforms', row) });
  const member = { platformId, platformSince: row.createdAt };
  await storePractice('prc_one', member);
  // Joined in the middle of the month, and counts for the whole month.
  await storePractice('prc_two', { ...member, platformSince: '2026-11-20T00:00:00.000Z' });
  await storePractice('prc_left', {});
  for (const practiceId of ['prc_one', 'prc_two', 'prc_left'])
    await book(practiceId, '2026-11-05T12:00:00.000Z', 'payment', 213);
  await book('prc_one', '2026-11-30T23:59:00.000Z', 'refund', -100);
  await book('prc_two', '2026-12-01T00:00:00.000Z', 'payment', 55);

  const { database: counted, requests } = countRequests(database);
  const tools = { database: counted, mode: 'live' } as const;
  expect(await addUpFees(tools, { platformId, month: '2026-11' }, now)).toEqual({
    platformId,
    month: '2026-11',
    practices: [
      { practiceId: 'prc_one', name: 'prc_one', applicationFeeCents: 113 },
      { practiceId: 'prc_two', name: 'prc_two', applicationFeeCents: 213 },
    ],
    applicationFeeCents: 326,
  });
  expect(requests(), 'a vendor has thousands of them').not.toHaveProperty('sessions');
  expect((await problemOf(addUpFees(tools, { platformId: 'plt_none', month: '2026-11' }, now))).code).toBe(
    'platform_not_found',
  );
});

it('adds up to nothing in a sandbox, and says why', async () => {
  const sandbox = await startTestTables();
  const row = { platformId, name: 'Harbor', createdAt: '2026-10-01T00:00:00.000Z' };
  const practice = aPractice({ practiceId: 'prc_one', platformId, platformSince: row.createdAt });
  await transact(sandbox.database, {
    platform: put(sandbox.database, 'platforms', row),
    practice: put(sandbox.database, 'practices', practice),
  });
  const tools = { database: sandbox.database, mode: 'sandbox' } as const;
  expect(await addUpFees(tools, { platformId, month: '2026-11' }, now)).toMatchObject({
    practices: [{ practiceId: 'prc_one', applicationFeeCents: 0 }],
    applicationFeeCents: 0,
    note: 'A sandbox takes no fee.',
  });
});
