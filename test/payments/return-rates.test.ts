import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { toIso, day, minute } from '../../functions/domain/time.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { readReturnRates, watchReturnRates } from '../../functions/payments/return-rates.ts';
import { storeSession } from '../support/create-practice.ts';
import { loggedBy } from '../support/logged.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const failure = { code: 'insufficient_funds', message: 'x', achReturnCode: 'R01' } as const;

function aPractice() {
  const practiceId = `prc_${randomUUID()}`;
  const debit = (differences: Partial<Session>, authorizedAt = now - day, createdAt = authorizedAt) =>
    storeSession(database, { practiceId, sequence: 1, processingAt: toIso(authorizedAt), ...differences }, createdAt);
  return { practiceId, debit, read: () => readReturnRates({ database }, practiceId, now) };
}

it('the rates count debits of the last 60 days, whether they are open, paid or failed', async () => {
  const { debit, read } = aPractice();
  const first = now - 60 * day;
  await debit({ status: 'processing' });
  await debit({ status: 'succeeded' }, first);
  await debit({ status: 'failed', failure }, first);
  await debit({ status: 'failed', failure }, first - 1);
  await debit({ status: 'succeeded' }, first - 1);
  await debit({ status: 'cancelled' });
  await debit({ status: 'pending', processingAt: undefined });
  const { debits, rates } = await read();
  expect(debits).toBe(3);
  expect(rates.find(({ kind }) => kind === 'overall')).toMatchObject({ returns: 1 });
});

it('a debit counts although its link was created a year before', async () => {
  const { debit, read } = aPractice();
  const authorizedAt = now - 60 * day;
  await debit({ status: 'succeeded' }, authorizedAt, authorizedAt - 366 * day - 10 * minute);
  expect(await read()).toMatchObject({ debits: 1 });
});

it('the rates are measured in whole percent of their ceilings', async () => {
  const { practiceId, debit } = aPractice();
  for (let paid = 0; paid < 9; paid += 1) await debit({ status: 'succeeded' });
  await debit({ status: 'failed', failure });
  const lines = await loggedBy(() => watchReturnRates({ database }, practiceId, now));
  const measured = lines.filter(({ message }) => message === 'return rate');
  // One in ten is two thirds of the ceiling of 15 %.
  expect(measured.map(({ kind, percentOfCeiling, ReturnRate }) => [kind, percentOfCeiling, ReturnRate])).toEqual([
    ['unauthorized', 0, 0],
    ['administrative', 0, 0],
    ['overall', 66, 66],
  ]);
});
