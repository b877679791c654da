import { expect, it } from 'vitest';
import { createSession } from '../../functions/sessions/create.ts';
import { now } from '../payments/a-payment.ts';
import { aPractice } from '../practices/a-practice.ts';
import { problemOf } from '../support/problem-of.ts';
import { startTestTables } from '../support/test-tables.ts';

const tables = await startTestTables();
const { tools, practiceId } = await aPractice(tables);
const patient = { firstName: 'Ada', lastName: 'Okafor' };

async function create(mode: 'sandbox' | 'live', amountCents: number) {
  const input = { practiceId, body: { invoiceId: 'INV-1', amountCents, patient } };
  return createSession({ ...tools, mode, hostedPageUrl: 'https://pay.example' }, input, now);
}

it.each([
  ['sandbox', 1],
  ['live', 50],
] as const)('the %s takes amounts from %i on', async (mode, amountCents) => {
  expect((await create(mode, amountCents)).response).toMatchObject({ status: 'pending', amountCents });
});

it.each([1, 49])(
  'production refuses %i, which the processor would not debit, and says what it takes',
  async (cents) => {
    expect(await problemOf(create('live', cents))).toMatchObject({
      code: 'invalid_request',
      extra: {
        errors: [
          {
            pointer: '/amountCents',
            code: 'out_of_range',
            detail: 'Use at least 50: the processor debits no less.',
            expected: 'integer',
            minimum: 50,
            maximum: 99_999_999,
          },
        ],
      },
    });
  },
);
