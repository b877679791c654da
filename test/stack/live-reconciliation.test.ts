import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { defaultTimeZone, hourIn, minute } from '../../functions/domain/time.ts';
import { updateSettings } from '../../functions/practices/settings.ts';
import { makeReady } from '../../bin/local/stripe.ts';
import { addKey } from '../../functions/practices/keys.ts';
import type { StripeEvent } from '../../lib/local/stripe/records.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import { startLiveStack } from '../support/live-stack.ts';
import { patience } from '../support/until.ts';

// This file has its own stack: the template says whose charges are reconciled.
let service: Awaited<ReturnType<typeof startLiveStack>>;
let returnedId: string;
let reversed: StripeEvent;
beforeAll(async () => {
  service = await startLiveStack('destination');
  const { operated, practice } = service;
  // The statement has one day: for the practice, midnight is hours away.
  const isNearMidnight = [23, 0].includes(hourIn(defaultTimeZone, Date.now()));
  const timeZone = isNearMidnight ? 'America/Los_Angeles' : defaultTimeZone;
  await updateSettings(operated, { author, practiceId: practice.practiceId, timeZone }, Date.now());
  // Nothing younger than ten minutes is compared.
  await service.stripe.control.advance(-30 * minute);
  // A payment that the bank returned is in the statement too.
  ({ sessionId: returnedId } = await service.payAt('late_return'));
  await service.receiver.waitFor('session.payment.returned', returnedId);
  const isReversed = ({ type }: StripeEvent) => type === 'transfer.reversed';
  reversed = await vi.waitUntil(async () => (await service.stripe.control.read()).events.find(isReversed), patience);
});
afterAll(() => service.stop());

const statusOf = async (sessionId: string) => (await service.client.sessions.get(sessionId)).status;
async function paidAtStripe(sessionId: string) {
  const isOurs = ({ type, data }: StripeEvent) =>
    type === 'payment_intent.succeeded' && JSON.stringify(data.object['metadata']).includes(sessionId);
  return (await service.stripe.control.read()).events.find(isOurs);
}

test('a destination charge is ours, passed on to the practice, and reversed when the bank returns it', async () => {
  const { account, data } = (await paidAtStripe(returnedId))!;
  expect(account).toBeUndefined();
  const destination = service.depositAccountId;
  expect(data.object).toMatchObject({ on_behalf_of: destination, transfer_data: { destination } });
  expect(reversed.data.object).toMatchObject({ destination, amount: 18_250, amount_reversed: 18_250 });
});

test('a payment whose notifications are lost is settled within the hour, and the practice sees its statement', async () => {
  const { control } = service.stripe;
  await control.notify({ deliver: 'never' });
  onTestFinished(() => control.notify({ deliver: 'once' }));
  const { sessionId } = await service.payAt('success');
  await expect.poll(() => paidAtStripe(sessionId)).toBeDefined();
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
