import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { makeReady } from '../../bin/local/stripe.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import { startLiveStack } from '../support/live-stack.ts';
import { patience } from '../support/until.ts';

// Its own stack: the template says whose charges are.
let service: Awaited<ReturnType<typeof startLiveStack>>;
beforeAll(async () => {
  service = await startLiveStack('destination');
  // What is younger than ten minutes is not compared.
  await service.stripe.control.advance(-30 * minute);
});
afterAll(() => service.stop());

const statusOf = async (sessionId: string) => (await service.client.sessions.get(sessionId)).status;
const stripeTold = async (type: string) => {
  const { events } = await service.stripe.control.read();
  return events.findLast((event) => event.type === type);
};

test('a destination charge is ours, passed on to the practice, and reversed when the bank returns it', async () => {
  const { sessionId } = await service.payAt('late_return');
  await service.receiver.waitFor('session.payment.returned', sessionId);
  const { account, data } = (await stripeTold('payment_intent.succeeded'))!;
  expect(account).toBeUndefined();
  const destination = service.depositAccountId;
  expect(data.object).toMatchObject({ on_behalf_of: destination, transfer_data: { destination } });
  const reversed = await vi.waitUntil(() => stripeTold('transfer.reversed'), patience);
  expect(reversed.data.object).toMatchObject({ destination, amount: 18_250, amount_reversed: 18_250 });
});

test('a payment whose notifications are lost is settled within the hour, and the practice sees its statement', async () => {
  const { control } = service.stripe;
  await control.notify({ deliver: 'never' });
  const { sessionId } = await service.payAt('success');
  const paid = async () => (await stripeTold('payment_intent.succeeded'))?.data.object['metadata'];
  await expect.poll(paid).toMatchObject({ sessionId });
  expect(await statusOf(sessionId)).toBe('processing');
  const failed = await control.payOut(service.depositAccountId);
  await control.failPayout(failed.id);
  const arrived = await control.payOut(service.depositAccountId);

  await service.stack.fireSchedules();
  await expect.poll(() => statusOf(sessionId)).toBe('succeeded');
  const { practiceId } = service.practice;
  const viewer = await dashboardUser(service, { practiceId, role: 'viewer' });
  const statement = async () => (await viewer.call('getStatement', { practiceId })).body;
  const ofDay = { grossCents: 36_500, returnedCents: -18_250, refundedCents: 0, netCents: 18_250, inTransitCents: 0 };
  const whole = { amountCents: 18_250, addsUp: true };
  await expect.poll(statement).toMatchObject({
    days: [{ ...ofDay, payoutIds: [arrived.id], failedPayoutIds: [failed.id] }],
    payouts: expect.arrayContaining([
      expect.objectContaining({ ...whole, payoutId: failed.id, status: 'failed', nextPayoutId: arrived.id }),
      expect.objectContaining({ ...whole, payoutId: arrived.id, status: 'paid' }),
    ]),
    returnRates: { debits: 2 },
  });
  const { body: opened } = await viewer.call('getPayout', { practiceId, payoutId: failed.id });
  expect(opened).toMatchObject({
    payout: { payoutId: failed.id },
    lines: expect.arrayContaining([expect.objectContaining({ category: 'payment', sessionId, amountCents: 18_250 })]),
  });
  const { body: found } = await viewer.call('getPayoutOfSession', { practiceId, sessionId });
  expect(found).toMatchObject({ payout: { payoutId: failed.id, status: 'failed' } });
  const key = { practiceId, name: 'Accounting', scopes: ['payouts:read' as const] };
  const { apiKey } = await addKey(service.operated, { author, ...key }, Date.now());
  const { payouts } = service.clientOf(apiKey);
  const first = await payouts.listPage({ limit: 1 });
  const second = await payouts.listPage({ limit: 1, cursor: first.nextCursor ?? '' });
  const listed = [...first.data, ...second.data].map(({ payoutId }) => payoutId);
  expect([listed.toSorted(), second.nextCursor]).toEqual([[failed.id, arrived.id].toSorted(), null]);
  expect(await payouts.get(failed.id)).toMatchObject({
    ...whole,
    status: 'failed',
    nextPayoutId: arrived.id,
    lines: expect.arrayContaining([expect.objectContaining({ category: 'payment', sessionId, netCents: 18_250 })]),
  });
  await expect(service.client.payouts.listPage(), 'a key of the default scopes').rejects.toMatchObject({
    code: 'scope_missing',
  });
  const stranger = await createPractice(
    service.operated,
    { author, name: 'Strange Practice', supportPhone: '+1 555 010 0100' },
    Date.now(),
  );
  await makeReady(service.operated, stranger.practiceId, 'acct_strange', Date.now());
  const { apiKey: strangeKey } = await addKey(
    service.operated,
    { author, ...key, practiceId: stranger.practiceId },
    Date.now(),
  );
  const { payouts: others } = service.clientOf(strangeKey);
  for (const payoutId of [failed.id, 'po_unknown'])
    await expect(others.get(payoutId)).rejects.toMatchObject({ code: 'payout_not_found' });
  expect(await others.listPage()).toEqual({ data: [], nextCursor: null });
  await expect(others.listPage({ limit: 1, cursor: first.nextCursor ?? '' })).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
  expect((await viewer.call('listStatementLines', { practiceId })).body).toMatchObject({
    lines: expect.arrayContaining([expect.objectContaining({ category: 'payout', payoutId: arrived.id })]),
  });
  expect((await control.read()).problems).toEqual([]);
});
