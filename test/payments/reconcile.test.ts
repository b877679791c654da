import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { platformAccount } from '../../functions/domain/payments/booking.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { reconcile } from '../../functions/payments/reconcile.ts';
import { stripeBooks } from '../../functions/processors/stripe/books.ts';
import { stripeCaller, paced } from '../../functions/processors/stripe/client.ts';
import { stripeRepairer } from '../../functions/processors/stripe/receive-event.ts';
import { insertProcessorEvent } from '../../functions/store/payments/processor-events.ts';
import { listBookings, readReconciliations, saveReconciliation } from '../../functions/store/payments/bookings.ts';
import { insert, remove } from '../../functions/store/rows.ts';
import { startLivePayments } from '../processors/stripe/live-payments.ts';
import { aPractice } from '../support/examples.ts';
import { storeSession } from '../support/create-practice.ts';

const { database, stripe, readSecret, pay, settle } = await startLivePayments();
const { control } = stripe;
await insert(database, 'practices', aPractice(), 'practiceId');

let tickets: Ticket[] = [];
let pauses: number[] = [];
beforeEach(async () => {
  tickets = [];
  pauses = [];
  await control.clearFaults();
});

const call = paced(stripeCaller(readSecret, stripe.apiBase), async (pause) => void pauses.push(pause));
const sendSettlements = async (sent: readonly Ticket[]) => void tickets.push(...sent);
const followed: string[] = [];
const tools = {
  database,
  followDeposit: async ({ depositAccountId }: Practice) => void followed.push(depositAccountId ?? ''),
  // Late enough that no notification is still on its way.
  clock: () => Date.now() + 20 * minute,
  sendSettlements,
  repairNotifications: stripeRepairer({ database, sendSettlements }, call),
  books: stripeBooks(database, call),
};

/** A payment on an account that is reconciled. */
async function payOn(chargeType: 'direct' | 'destination' = 'direct', bank = 'success') {
  const payment = await pay(bank, chargeType);
  const from = toIso(Date.now() - 60 * minute);
  for (const account of [payment.account, platformAccount])
    await saveReconciliation(database, { account, notifications: { from } });
  return payment;
}

const forget = (account: string) => remove(database, 'reconciliations', { account });

const eventsOf = (sessionId: string) =>
  tickets.flatMap(({ body }) =>
    'processorEventId' in body && 'sessionId' in body && body.sessionId === sessionId
      ? [String(body.processorEventId)]
      : [],
  );
const typeOf = async (event: string) => ((await control.find(event)) as { type: string }).type;

describe('a reconciliation', () => {
  it.each(['direct', 'destination'] as const)(
    'handles the notifications of a %s charge that never came, once',
    async (chargeType) => {
      const { sessionId, debitId, current } = await payOn(chargeType);
      await control.settle(debitId, 'success');
      await reconcile(tools);
      const types = await Promise.all(eventsOf(sessionId).map(typeOf));
      expect(types.sort()).toEqual(['payment_intent.processing', 'payment_intent.succeeded']);
      await settle(sessionId);
      expect((await current()).status).toBe('succeeded');
      tickets = [];
      await reconcile(tools);
      expect(eventsOf(sessionId)).toEqual([]);
    },
  );

  it('does not list again what an earlier run has read', async () => {
    const { sessionId, account } = await payOn();
    const readUpTo = toIso(Date.now() + minute);
    await saveReconciliation(database, { account, notifications: { from: readUpTo } });
    await reconcile(tools);
    expect(eventsOf(sessionId)).toEqual([]);
  });

  it('leaves notifications of the last ten minutes alone, which may be on their way', async () => {
    const { sessionId } = await payOn();
    const paidAt = Date.now();
    await reconcile({ ...tools, clock: () => paidAt + 8 * minute });
    expect(eventsOf(sessionId)).toEqual([]);
    await reconcile({ ...tools, clock: () => paidAt + 11 * minute });
    expect(eventsOf(sessionId)).toHaveLength(1);
  });

  it('changes nothing that a notification has reported', async () => {
    const { sessionId, debitId } = await payOn();
    const { events } = await control.read();
    const event = events.findLast(
      ({ data, type }) => data.object.id === debitId && type === 'payment_intent.processing',
    );
    await insertProcessorEvent(database, { sessionId, processorEventId: event!.id, type: event!.type }, Date.now());
    await reconcile(tools);
    expect(eventsOf(sessionId)).toEqual([]);
  });

  it('reads what is available of the balance of an account, which a return after the payout leaves negative', async () => {
    const { account, debitId } = await payOn();
    await control.settle(debitId, 'success');
    await pay('stays_processing', 'direct', account);
    const practice = aPractice({ practiceId: `prc_${account}`, depositAccountId: account });
    await insert(database, 'practices', practice, 'practiceId');
    const found = async () => {
      await reconcile(tools);
      return (await readReconciliations(database)).find((each) => each.account === account)?.balance;
    };
    await saveReconciliation(database, { account, practiceId: practice.practiceId });
    expect(await found()).toMatchObject({ availableCents: 18_104 });
    await control.payOut(account);
    await control.return(debitId);
    expect(await found()).toMatchObject({ availableCents: -18_650 });
    await remove(database, 'practices', { practiceId: practice.practiceId });
  });

  it('reads the balance of our own account, from which the bank takes a returned destination charge', async () => {
    const ours = async () => {
      await reconcile(tools);
      const rows = await readReconciliations(database);
      return rows.find((each) => each.account === platformAccount)?.balance?.availableCents ?? NaN;
    };
    const { debitId } = await payOn('destination');
    await control.settle(debitId, 'success');
    const before = await ours();
    await control.return(debitId);
    expect((await ours()) - before).toBe(-18_650);
  });

  it('looks up every open session, a few at a time', async () => {
    const open = await Promise.all(
      Array.from({ length: 30 }, () => storeSession(database, { status: 'processing', sequence: 1 })),
    );
    await reconcile(tools);
    const delays = new Map(
      tickets.flatMap(({ body, delay }) =>
        'sessionId' in body && !('processorEventId' in body) ? [[String(body.sessionId), delay]] : [],
      ),
    );
    const ofOpen = new Set(open.map(({ sessionId }) => sessionId));
    for (const { body } of tickets)
      if ('sessionId' in body && ofOpen.has(String(body.sessionId)))
        expect(body).toMatchObject({ comparison: 'first' });
    for (const { sessionId } of open) expect(delays.has(sessionId)).toBe(true);
    expect(new Set(delays.values()).size).toBe(delays.size);
  });

  it('asks where the money of each practice is deposited', async () => {
    const [practiceId, depositAccountId] = ['prc_deposits', 'acct_deposits'];
    await insert(database, 'practices', aPractice({ practiceId, depositAccountId }), 'practiceId');
    await expect(reconcile(tools), 'Stripe does not know the account').rejects.toThrow();
    expect(followed).toContain(depositAccountId);
    await remove(database, 'practices', { practiceId });
  });

  it('looks up the open sessions of all practices if the row of one is invalid, and fails at the end', async () => {
    const practiceId = 'prc_invalid';
    const invalid = { ...aPractice({ practiceId }), retentionMonths: 'two years' };
    await insert(database, 'practices', invalid, 'practiceId');
    const open = { status: 'processing', sequence: 1 } as const;
    const sessions = [await storeSession(database, open), await storeSession(database, { ...open, practiceId })];
    await expect(reconcile(tools)).rejects.toThrow('1 practices could not be read');
    for (const { sessionId } of sessions)
      expect(tickets.map(({ body }) => body)).toContainEqual({ sessionId, comparison: 'first' });
    await remove(database, 'practices', { practiceId });
  });

  it('leaves out the account of a closed practice once Stripe has closed it too', async () => {
    const [practiceId, account] = ['prc_left', 'acct_closed'];
    await saveReconciliation(database, { account, practiceId });
    onTestFinished(() => forget(account));
    await insert(database, 'practices', aPractice({ practiceId, depositAccountId: account }), 'practiceId');
    await expect(reconcile(tools), 'the practice is not closed').rejects.toThrow();
    await remove(database, 'practices', { practiceId });
    const closed = aPractice({ practiceId, depositAccountId: account, closedAt: '2026-11-20T09:00:00.000Z' });
    await insert(database, 'practices', closed, 'practiceId');
    await expect(reconcile(tools)).resolves.toBeUndefined();
    await remove(database, 'practices', { practiceId });
  });

  it('begins with the account that has waited longest, and leaves the others once its time is up', async () => {
    // Without a row, the platform's account would have waited longest.
    const accounts = [platformAccount, 'acct_recent', 'acct_waiting'];
    for (const [index, account] of accounts.entries()) {
      const from = toIso(Date.now() - (index + 1) * 24 * 60 * minute);
      await saveReconciliation(database, { account, notifications: { from } });
      onTestFinished(() => forget(account));
    }
    const asked: string[] = [];
    const repairNotifications: typeof tools.repairNotifications = async (account) => {
      asked.push(account);
      return { repaired: 0, after: undefined };
    };
    const clock = () => tools.clock() + asked.length * 9 * minute;
    await reconcile({ ...tools, clock, repairNotifications });
    expect(asked).toEqual(['acct_waiting']);
  });

  it('waits when Stripe asks it to', async () => {
    await payOn();
    await control.fault('rate_limited', { operation: 'GetEvents', times: 2 });
    await reconcile(tools);
    expect(pauses).toHaveLength(2);
    for (const pause of pauses) expect(pause).toBeGreaterThan(0);
  });

  it('reads everything else of an account if Stripe refuses one call, and reports the failure', async () => {
    const { account, sessionId, debitId } = await payOn();
    await control.settle(debitId, 'success');
    const practice = aPractice({ practiceId: `prc_${account}`, depositAccountId: account });
    await insert(database, 'practices', practice, 'practiceId');
    onTestFinished(() => remove(database, 'practices', { practiceId: practice.practiceId }));
    await saveReconciliation(database, { account, practiceId: practice.practiceId });
    const readBalance = async () => Promise.reject(new Error('the key may not read it'));
    const followDeposit = async () => Promise.reject(new Error('the key may not read it'));
    const refusing = { ...tools, followDeposit, books: { ...tools.books, readBalance } };
    await expect(reconcile(refusing)).rejects.toThrow(/^\d+ accounts could not be reconciled/);
    expect(eventsOf(sessionId)).toHaveLength(2);
    const row = (await readReconciliations(database)).find((each) => each.account === account);
    const read = { from: expect.any(String) };
    expect(row).toMatchObject({ notifications: read, disputes: read, bookings: read, payouts: read });
    expect(row).not.toHaveProperty('balance');
    expect(await listBookings(database, practice.practiceId, { from: '0', to: '~' })).toMatchObject([{ sessionId }]);
  });

  it('of one account continues if another fails, and reports the failure', async () => {
    const account = 'acct_gone';
    onTestFinished(() => forget(account));
    await saveReconciliation(database, { account, notifications: { from: toIso(Date.now() - 60 * minute) } });
    const repairNotifications: typeof tools.repairNotifications = async (each, page, now) => {
      if (each === account) throw new Error('gone');
      return tools.repairNotifications(each, page, now);
    };
    const { sessionId } = await payOn();
    await expect(reconcile({ ...tools, repairNotifications })).rejects.toThrow('1 accounts could not be reconciled');
    expect(eventsOf(sessionId)).toHaveLength(1);
    const row = (await readReconciliations(database)).find((each) => each.account === account);
    expect(Date.parse(row?.notifications?.from ?? '')).toBeLessThan(Date.now());
  });
});
