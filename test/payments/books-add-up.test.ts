import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChargeType } from '../../functions/domain/payments/debit.ts';
import { day, toIso } from '../../functions/domain/time.ts';
import { readBooks } from '../../functions/payments/read-books.ts';
import { getStatement } from '../../functions/payments/statement.ts';
import { stripeBooks } from '../../functions/processors/stripe/books.ts';
import { stripeCaller } from '../../functions/processors/stripe/client.ts';
import { readReconciliations } from '../../functions/store/payments/bookings.ts';
import { insert } from '../../functions/store/rows.ts';
import { startLivePayments } from '../processors/stripe/live-payments.ts';
import { aPractice } from '../support/examples.ts';

const { database, stripe, readSecret, tools: payments, pay, settle } = await startLivePayments();
const { control } = stripe;
const books = stripeBooks(database, stripeCaller(readSecret, stripe.apiBase));
const tools = { database, clock: Date.now, books, sendSettlements: async () => undefined };

/** Stripe's clock is ahead of the machine's. */
let ahead = 0;
const stripeNow = () => Date.now() + ahead;
async function passDays(days: number) {
  await control.advance(days * day);
  ahead += days * day;
}

const amountCents = 18_250;
/** 30 cents and 1%. */
const operatorFee = 213;

const aStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const), fee: fc.constantFrom(0, operatorFee) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('succeed', 'succeed', 'fail', 'void', 'return', 'win'),
      which: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      which: fc.nat(),
      cents: fc.integer({ min: 50, max: amountCents }),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'pay_out' } as const, { do: 'fail_payout' } as const) },
  { weight: 2, arbitrary: fc.constant({ do: 'read' } as const) },
);
type Step = typeof aStep extends fc.Arbitrary<infer Kind> ? Kind : never;

/** Every kind of step, whatever the random runs do. */
const certain: Step[] = [
  ...[1, 2, 3, 4, 5].map((each) => ({ do: 'pay', fee: each === 3 ? 0 : operatorFee }) as const),
  ...(['succeed', 'succeed', 'succeed', 'fail', 'void'] as const).map((what) => ({ do: what, which: 0 })),
  { do: 'refund', which: 2, cents: 5000 },
  { do: 'read' },
  { do: 'pay_out' },
  { do: 'fail_payout' },
  { do: 'return', which: 0 },
  { do: 'return', which: 0 },
  { do: 'win', which: 0 },
  { do: 'pay_out' },
  { do: 'pay', fee: operatorFee },
];

type DebitOf = Awaited<ReturnType<typeof pay>> & {
  state: 'processing' | 'paid' | 'returned' | 'ended';
  refunded: number;
  /** How much of it the operator keeps. */
  fee: number;
};

/** Plays the steps at the processor, and skips those it would refuse. Returns what a statement should say at the end. */
async function play(steps: readonly Step[], chargeType: ChargeType) {
  await passDays(-ahead / day);
  const { id: account } = await control.createAccount();
  const practiceId = `prc_${account}`;
  await insert(database, 'practices', aPractice({ practiceId, timeZone: 'UTC' }), 'practiceId');
  const debits: DebitOf[] = [];
  const expected = { grossCents: 0, refundedCents: 0, returnedCents: 0, applicationFeeCents: 0 };
  let lastPayout: string | undefined;

  async function read() {
    await passDays(2);
    const known = (await readReconciliations(database)).find((each) => each.account === account);
    const reconciliation = { account, practiceId, ...known };
    await readBooks(tools, reconciliation, {
      until: toIso(stripeNow()),
      deadline: Infinity,
      ticketInterval: 0,
    });
  }

  const pick = (state: DebitOf['state'], which: number) => {
    const found = debits.filter((each) => each.state === state);
    return found[which % found.length];
  };

  async function end(debit: DebitOf | undefined, outcome: 'success' | 'insufficient_funds') {
    if (!debit) return;
    await control.settle(debit.debitId, outcome);
    await settle(debit.sessionId);
    debit.state = outcome === 'success' ? 'paid' : 'ended';
    if (debit.state === 'ended') return;
    expected.grossCents += amountCents;
    expected.applicationFeeCents += debit.fee;
  }

  async function abandon(debit: DebitOf | undefined) {
    if (!debit) return;
    const { sessionId, practiceId: owner, processorAccount = '' } = await debit.current();
    await payments.processor.voidDebit({ sessionId, practiceId: owner, amountCents, processorAccount }, Date.now());
    debit.state = 'ended';
  }

  function keepFee(debit: DebitOf, cents: number) {
    expected.applicationFeeCents += cents - debit.fee;
    debit.fee = cents;
  }

  async function giveBack(debit: DebitOf | undefined) {
    const isShort = chargeType === 'destination' && (await control.balance(account)).cents < amountCents;
    if (!debit || isShort) return;
    await control.return(debit.debitId);
    await settle(debit.sessionId);
    debit.state = 'returned';
    // The fee goes back with the transfer.
    if (chargeType === 'destination') keepFee(debit, 0);
    // A direct charge is returned in full even if it was refunded; for a transfer, only the rest is reversed.
    expected.returnedCents -= chargeType === 'direct' ? amountCents : amountCents - debit.refunded;
  }

  async function refund(debit: DebitOf | undefined, cents: number) {
    const isShort = (await control.balance(account)).cents < cents;
    if (!debit || isShort || debit.refunded + cents > amountCents) return;
    const refundApplicationFee = debit.fee > 0;
    const reverseTransfer = chargeType === 'destination';
    await control.refund(debit.debitId, { amount: cents, reverseTransfer, refundApplicationFee });
    debit.refunded += cents;
    if (debit.fee > 0) keepFee(debit, operatorFee - Math.round((operatorFee * debit.refunded) / amountCents));
    expected.refundedCents -= cents;
  }

  async function win(debit: DebitOf | undefined) {
    if (!debit || chargeType === 'destination') return;
    await control.winDispute(debit.debitId);
    debit.state = 'ended';
    expected.returnedCents += amountCents;
  }

  for (const step of steps) {
    const which = 'which' in step ? step.which : 0;
    switch (step.do) {
      case 'pay':
        debits.push({
          ...(await pay('stays_processing', chargeType, account, step.fee || undefined)),
          state: 'processing',
          refunded: 0,
          fee: step.fee,
        });
        break;
      case 'succeed':
        await end(pick('processing', which), 'success');
        break;
      case 'fail':
        await end(pick('processing', which), 'insufficient_funds');
        break;
      case 'void':
        await abandon(pick('processing', which));
        break;
      case 'return':
        await giveBack(pick('paid', which));
        break;
      case 'win':
        await win(pick('returned', which));
        break;
      case 'refund':
        await refund(pick('paid', which), step.cents);
        break;
      case 'pay_out':
        lastPayout = (await control.payOut(account).catch(() => undefined))?.id ?? lastPayout;
        break;
      case 'fail_payout':
        if (lastPayout !== undefined) await control.failPayout(lastPayout);
        lastPayout = undefined;
        break;
      case 'read':
        await read();
        break;
      default:
        step satisfies never;
    }
  }
  await read();
  const processing = chargeType === 'direct' ? debits.filter(({ state }) => state === 'processing') : [];
  const processingCents = sumOf(processing, ({ fee }) => amountCents - 146 - fee);
  return { account, practiceId, expected, processingCents };
}

/** Every month from the machine's clock to Stripe's. */
async function statementsOf(practiceId: string) {
  const months = new Set<string>();
  for (let time = Date.now() - day; time <= stripeNow() + day; time += day) months.add(toIso(time).slice(0, 7));
  const all = [];
  for (const month of months) all.push(await getStatement({ database }, { practiceId, month }, stripeNow()));
  return { days: all.flatMap(({ days }) => days), payouts: all.flatMap(({ payouts }) => payouts) };
}

const sumOf = <Row>(rows: readonly Row[], valueOf: (row: Row) => number) =>
  rows.reduce((sum, each) => sum + valueOf(each), 0);

/** `BOOKS_RUNS=50 npx vitest run test/payments/books-add-up.test.ts` plays more runs. */
const numRuns = Number(process.env['BOOKS_RUNS'] ?? 4);

describe.each(['direct', 'destination'] as const)(
  "a practice's statement over random lives of %s charges",
  (chargeType) => {
    it("adds up to the practice's balance at Stripe, to the cent", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { minLength: 12, maxLength: 24 }), async (steps) => {
          const { account, practiceId, expected, processingCents } = await play(steps, chargeType);
          const { days, payouts } = await statementsOf(practiceId);
          const { cents: balance } = await control.balance(account);
          const net = sumOf(days, ({ netCents }) => netCents);
          const paidOut = sumOf(payouts, ({ status, amountCents: paid }) => (status === 'paid' ? paid : 0));
          const shown = {
            grossCents: sumOf(days, ({ grossCents }) => grossCents),
            refundedCents: sumOf(days, ({ refundedCents }) => refundedCents),
            returnedCents: sumOf(days, ({ returnedCents }) => returnedCents),
            applicationFeeCents: sumOf(days, (each) => each.applicationFeeCents),
            otherCents: sumOf(days, ({ otherCents }) => otherCents),
            processingCents: sumOf(days, (each) => each.processingCents),
            inTransitCents: sumOf(days, ({ inTransitCents }) => inTransitCents),
          };
          expect(shown).toEqual({
            ...expected,
            otherCents: 0,
            processingCents,
            inTransitCents: balance - processingCents,
          });
          expect(net + shown.processingCents - paidOut).toBe(balance);
          expect(payouts.map(({ addsUp }) => addsUp)).toEqual(payouts.map(() => true));
        }),
        { numRuns, examples: [[certain]] },
      );
    });
  },
);
