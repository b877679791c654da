import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { platformAccount, type Reconciliation } from '../../functions/domain/payments/booking.ts';
import { day, minute, second, toIso } from '../../functions/domain/time.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { reconcile } from '../../functions/payments/reconcile.ts';
import { AccountGone, type ListPage } from '../../functions/processors/processor.ts';
import { readReconciliations, saveReconciliation } from '../../functions/store/payments/bookings.ts';
import { insert, remove } from '../../functions/store/rows.ts';
import { storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { loggedBy } from '../support/logged.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables('live');
const now = Date.parse('2026-11-20T10:00:00.000Z');
const readUpTo = toIso(now - 10 * minute);

let tickets: Ticket[];
let asked: string[];
let pages: [string, ListPage][];
let time: number;
let tools: Parameters<typeof reconcile>[0];

/** A processor that knows nothing new, and no practices from other tests: a run reads all of them. */
beforeEach(async () => {
  for (const [table, key] of [
    ['practices', 'practiceId'],
    ['reconciliations', 'account'],
  ] as const) {
    const { Items = [] } = await database.documents.send(new ScanCommand({ TableName: database.tables[table] }));
    for (const { [key]: id } of Items) await remove(database, table, { [key]: String(id) });
  }
  [tickets, asked, pages, time] = [[], [], [], now];
  const none = (call: string) => async (account: string) => {
    asked.push(`${call} ${account}`);
    return { bookings: [], payouts: [], sessionIds: [], after: undefined };
  };
  tools = {
    database,
    clock: () => time,
    sendSettlements: async (sent) => void tickets.push(...sent),
    followDeposit: async ({ depositAccountId }) => void asked.push(`deposit ${depositAccountId}`),
    async repairNotifications(account, page) {
      asked.push(`notifications ${account}`);
      pages.push([account, page]);
      return { repaired: 0, after: undefined };
    },
    books: {
      listBookings: none('bookings'),
      listPayouts: none('payouts'),
      listDisputes: none('disputes'),
      listPayoutBookings: none('payout'),
      async readBalance(account) {
        asked.push(`balance ${account}`);
        return 0;
      },
    },
  };
});

async function aPracticeWith(practiceId: string, differences: Partial<Practice> = {}) {
  await insert(database, 'practices', aPractice({ practiceId, ...differences }), 'practiceId');
}

const rowOf = async (account: string) =>
  (await readReconciliations(database)).find((each) => each.account === account) ?? ({ account } as Reconciliation);
const metricsOf = async (name: string, work: () => Promise<unknown>) =>
  (await loggedBy(work)).flatMap((line) => (name in line ? [line[name]] : []));

describe('a run', () => {
  it('asks for everything of each account once, and of our own no payouts and no deposit', async () => {
    await aPracticeWith('prc_1', { depositAccountId: 'acct_1' });
    await aPracticeWith('prc_without');
    await reconcile(tools);
    expect(asked.filter((call) => call.endsWith(platformAccount))).toEqual(
      ['notifications', 'balance', 'disputes', 'bookings'].map((call) => `${call} ${platformAccount}`),
    );
    expect(asked.filter((call) => call.endsWith('acct_1'))).toEqual(
      ['deposit', 'notifications', 'balance', 'disputes', 'bookings', 'payouts'].map((call) => `${call} acct_1`),
    );
    expect(asked).toHaveLength(10);
    expect(await rowOf('acct_1')).toEqual({
      account: 'acct_1',
      practiceId: 'prc_1',
      notifications: { from: readUpTo },
      disputes: { from: readUpTo },
      bookings: { from: readUpTo },
      payouts: { from: readUpTo },
      balance: { availableCents: 0, at: toIso(now) },
    });
  });

  it('reads the notifications of an unknown account for seven days, and of a known one from where it stopped', async () => {
    const from = toIso(now - day);
    await saveReconciliation(database, { account: 'acct_known', notifications: { from } });
    await reconcile(tools);
    expect(new Map(pages)).toEqual(
      new Map([
        [platformAccount, { from: toIso(now - 7 * day), to: readUpTo, after: undefined }],
        ['acct_known', { from, to: readUpTo, after: undefined }],
      ]),
    );
  });

  it('reads an account that a practice had before, but not its balance if it was no practice', async () => {
    const from = toIso(now - day);
    await saveReconciliation(database, { account: 'acct_before', practiceId: 'prc_1', notifications: { from } });
    await saveReconciliation(database, { account: 'acct_nobody', notifications: { from } });
    await reconcile(tools);
    expect(asked).toContain('balance acct_before');
    expect(asked).toContain('notifications acct_nobody');
    expect(asked).not.toContain('balance acct_nobody');
    expect(asked.filter((call) => call.startsWith('deposit'))).toEqual([]);
  });

  it('measures how old the end of the account is that was read least far', async () => {
    expect(await metricsOf('ReconciliationAge', () => reconcile(tools))).toEqual([10 * 60]);
    await saveReconciliation(database, { account: 'acct_1', notifications: { from: toIso(now - 3 * day) } });
    const failing: typeof tools = {
      ...tools,
      repairNotifications: async (account, ...page) =>
        account === 'acct_1' ? Promise.reject(new Error('no answer')) : tools.repairNotifications(account, ...page),
    };
    const work = () => expect(reconcile(failing)).rejects.toThrow('1 accounts could not be reconciled, 0 practices');
    expect(await metricsOf('ReconciliationAge', work)).toEqual([(3 * day) / second]);
  });

  it('that is out of time leaves the other accounts, which count by where they stopped', async () => {
    for (const [account, days] of [
      ['acct_1', 1],
      ['acct_2', 8],
    ] as const)
      await saveReconciliation(database, { account, notifications: { from: toIso(now - days * day) } });
    const slow: typeof tools = {
      ...tools,
      async repairNotifications(...given) {
        time += 8 * minute;
        return tools.repairNotifications(...given);
      },
    };
    expect(await metricsOf('ReconciliationAge', () => reconcile(slow))).toEqual([(7 * day) / second]);
    expect(
      pages.map(([account]) => account),
      'the one that waited longest',
    ).toEqual(['acct_2']);
    expect([...new Set(asked.map((call) => call.split(' ')[1]))], 'nothing is asked of the others').toEqual(['acct_2']);
  });

  it('leaves nothing out one millisecond before its time is up', async () => {
    await saveReconciliation(database, { account: 'acct_1', notifications: { from: toIso(now - 8 * day) } });
    const slow: typeof tools = {
      ...tools,
      async repairNotifications(...given) {
        time = now + 8 * minute - 1;
        return tools.repairNotifications(...given);
      },
    };
    await reconcile(slow);
    expect(pages.map(([account]) => account)).toEqual(['acct_1', platformAccount]);
  });

  it('reads notifications page by page until its time is up, and notes where the next run continues', async () => {
    const from = toIso(now - 7 * day);
    const slow: typeof tools = {
      ...tools,
      async repairNotifications(account, page) {
        pages.push([account, page]);
        time += 4 * minute;
        return { repaired: 0, after: `evt_${pages.length}` };
      },
    };
    await reconcile(slow);
    expect(pages.map(([, { after }]) => after)).toEqual([undefined, 'evt_1']);
    expect(await rowOf(platformAccount)).toMatchObject({ notifications: { from, to: readUpTo, after: 'evt_2' } });
  });

  it('stops the steps of an account that is gone or when its time is up, and no others', async () => {
    await aPracticeWith('prc_1', { depositAccountId: 'acct_1' });
    const failing = (error: Error, at = now): typeof tools => ({
      ...tools,
      async repairNotifications(account) {
        if (account !== 'acct_1') return { repaired: 0, after: undefined };
        time = at;
        throw error;
      },
    });
    const callsOf = async (error: Error, at?: number) => {
      [asked, time] = [[], now];
      await expect(reconcile(failing(error, at))).rejects.toThrow('1 accounts could not be reconciled');
      return asked.filter((call) => call.endsWith('acct_1'));
    };
    expect(await callsOf(new AccountGone('gone'))).toEqual(['deposit acct_1']);
    expect(await callsOf(new Error('no answer'), now + 8 * minute)).toEqual(['deposit acct_1']);
    expect(await callsOf(new Error('no answer'))).toContain('balance acct_1');
  });

  it('forgives that the account of a closed practice is gone, but no other failure, and no gone account of an open one', async () => {
    await aPracticeWith('prc_closed', { depositAccountId: 'acct_closed', closedAt: '2026-11-01T00:00:00.000Z' });
    const failing = (of: string, error: Error): typeof tools => ({
      ...tools,
      repairNotifications: async (account, ...page) =>
        account === of ? Promise.reject(error) : tools.repairNotifications(account, ...page),
    });
    const gone = failing('acct_closed', new AccountGone('gone'));
    await expect(reconcile(gone)).resolves.toBeUndefined();
    const followDeposit = async () => Promise.reject(new Error('no answer'));
    await expect(reconcile({ ...gone, followDeposit }), 'it fails in two ways').resolves.toBeUndefined();
    await aPracticeWith('prc_open', { depositAccountId: 'acct_open' });
    for (const [of, error] of [
      ['acct_closed', new Error('no answer')],
      ['acct_open', new AccountGone('gone')],
    ] as const) {
      time += day;
      await expect(reconcile(failing(of, error))).rejects.toThrow('1 accounts could not be reconciled');
    }
  });

  it('looks up open sessions fifty milliseconds apart, across practices', async () => {
    for (const practiceId of ['prc_1', 'prc_2']) {
      await aPracticeWith(practiceId);
      for (let count = 0; count < 2; count += 1)
        await storeSession(database, { practiceId, status: 'processing', sequence: 1 });
      await storeSession(database, { practiceId });
    }
    await reconcile(tools);
    expect(tickets.map(({ delay }) => delay)).toEqual([0, 50, 100, 150]);
    expect(new Set(tickets.map(({ body }) => JSON.stringify(body))).size).toBe(4);
  });
});

describe('an alarm of a run', () => {
  it('is raised by a negative balance, not by an empty one', async () => {
    const balanceOf = (cents: number) => () =>
      reconcile({ ...tools, books: { ...tools.books, readBalance: async () => cents } });
    expect(await metricsOf('NegativeBalances', balanceOf(0))).toEqual([]);
    expect(await metricsOf('NegativeBalances', balanceOf(-1))).toEqual([1]);
    expect(await rowOf(platformAccount)).toMatchObject({ balance: { availableCents: -1, at: toIso(now) } });
  });

  it('counts the notifications that were missing, and is not raised if none was', async () => {
    const missing = (repaired: number) => () =>
      reconcile({ ...tools, repairNotifications: async () => ({ repaired, after: undefined }) });
    expect(await metricsOf('ReconciliationDifferences', missing(3))).toEqual([3]);
    time += day;
    expect(await metricsOf('ReconciliationDifferences', missing(0))).toEqual([]);
  });

  it('about return rates is measured on the run that completes the books of a practice, once a day', async () => {
    await aPracticeWith('prc_1', { depositAccountId: 'acct_1' });
    expect(await metricsOf('ReturnRate', () => reconcile(tools))).toHaveLength(3);
    expect(await metricsOf('ReturnRate', () => reconcile(tools))).toEqual([]);
  });
});
