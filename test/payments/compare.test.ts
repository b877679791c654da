import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { comparePayment } from '../../functions/payments/settle.ts';
import { storeSession } from '../support/create-practice.ts';
import { loggedBy, measuredBy } from '../support/logged.ts';
import { startLivePayments } from '../processors/stripe/live-payments.ts';

const { database, tools, stripe, pay, settle } = await startLivePayments();
const { control } = stripe;

let tickets: Ticket[] = [];
beforeEach(() => {
  tickets = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
const sendSettlements = async (sent: readonly Ticket[]) => void tickets.push(...sent);
const compare = (sessionId: string, comparison: 'first' | 'last') =>
  comparePayment({ ...tools, sendSettlements }, { sessionId, comparison }, Date.now());

describe('a comparison with the processor', () => {
  it('agrees while the bank has not answered', async () => {
    const { sessionId, current } = await pay('success');
    expect(await compare(sessionId, 'first')).toBe('agreed');
    expect(await compare(sessionId, 'last')).toBe('agreed');
    expect(tickets).toEqual([]);
    expect(await current()).toMatchObject({ status: 'processing' });
  });

  it('agrees while the debit has not been submitted', async () => {
    const { sessionId } = await storeSession(database, { status: 'processing', livemode: true });
    expect(await compare(sessionId, 'first')).toBe('agreed');
    expect(tickets).toEqual([]);
  });

  it('leaves a new outcome alone for a quarter of an hour, because its notification may be on its way', async () => {
    const { sessionId, debitId, current } = await pay('success');
    await control.settle(debitId, 'success');
    expect(await compare(sessionId, 'first')).toBe('undecided');
    expect(await current()).toMatchObject({ status: 'processing' });
    expect(tickets).toEqual([{ body: { sessionId, comparison: 'last' }, delay: 15 * minute }]);
  });

  it('is not a disagreement if the notification arrived in the meantime', async () => {
    const { sessionId, debitId } = await pay('success');
    await control.settle(debitId, 'success');
    await compare(sessionId, 'first');
    await settle(sessionId);
    expect(await compare(sessionId, 'last')).toBe('agreed');
    expect(await compare(sessionId, 'first')).toBe('agreed');
  });

  it.each(['success', 'account_closed'] as const)(
    'settles an outcome that no notification reported, and raises one alarm: %s',
    async (outcome) => {
      const { sessionId, debitId, current } = await pay(outcome);
      await control.settle(debitId, outcome);
      const results: string[] = [];
      const alarms = await measuredBy(['Disagreements'], async () => {
        for (const _ of [1, 2]) results.push(await compare(sessionId, 'last'));
      });
      expect(results).toEqual(['disagreed', 'agreed']);
      expect(alarms).toEqual(['Disagreements']);
      expect(await current()).toMatchObject({ status: outcome === 'success' ? 'succeeded' : 'failed' });
    },
  );

  it('reports an open session whose debit our table lost, before the bank answers', async () => {
    const { sessionId, debitId } = await pay('account_closed');
    const TableName = database.tables.processorDebits;
    await database.documents.send(new DeleteCommand({ TableName, Key: { sessionId } }));
    const lines = await loggedBy(async () => expect(await compare(sessionId, 'first')).toBe('lost'));
    const told = { message: 'debit without a row', sessionId, debitId, UnknownDebits: 1 };
    expect(lines).toContainEqual(expect.objectContaining(told));
  });

  it('finds a return and a refund that no notification reported', async () => {
    const returned = await pay('success');
    await control.settle(returned.debitId, 'success');
    await settle(returned.sessionId);
    await control.return(returned.debitId);
    expect(await compare(returned.sessionId, 'last')).toBe('disagreed');
    const refunded = await pay('success');
    await control.settle(refunded.debitId, 'success');
    await settle(refunded.sessionId);
    await control.refund(refunded.debitId);
    expect(await compare(refunded.sessionId, 'last')).toBe('disagreed');
    expect(await refunded.current()).toMatchObject({ refund: { amountCents: 18_250 } });
  });
});
