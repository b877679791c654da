import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ticketGrace } from '../../functions/domain/due.ts';
import { extensionWindow } from '../../functions/domain/sessions/links.ts';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { day } from '../../functions/domain/time.ts';
import { aPractice } from '../support/examples.ts';
import { startStripe } from '../support/stripe.ts';
import { startTestTables } from '../support/tables.ts';
import {
  advance,
  authorize,
  cancel,
  connectBank,
  create,
  extend,
  open,
  namePayer,
  replaceLink,
  requestLink,
  failRefund,
  refund,
  settle,
  simulate,
  simulateExpiry,
  submit,
  submitAndCancel,
  sweep,
  wait,
} from './commands.ts';
import { amountCents, linkLifetime, Model, sessionLifetime } from './model.ts';
import { outcomeDelay, sandboxBank } from './banks.ts';
import { startService } from './service.ts';
import { stripeBank } from './stripe-bank.ts';
import { statusesSeen, type Real } from './verify.ts';

const stripe = await startStripe();
afterAll(() => stripe.stop());
const settings = {
  sandbox: { tables: await startTestTables(), bank: sandboxBank },
  Stripe: { tables: await startTestTables('live'), bank: await stripeBank(stripe) },
};

const index = fc.constantFrom(0, 1);
const payer = fc.constantFrom<SandboxUser>(
  'user_good',
  'user_late_return',
  'user_insufficient_funds',
  'user_stuck',
  'user_sent',
  'user_processor_error',
);
const times = fc.constantFrom(1, 3);
const likely = [
  fc.tuple(index, payer).map(([at, user]) => connectBank(at, user)),
  fc.tuple(index, times).map(([at, count]) => authorize(at, count)),
  fc.tuple(index, times).map(([at, count]) => submit(at, count)),
  fc.tuple(index, times).map(([at, count]) => settle(at, count)),
  fc.constantFrom(1, outcomeDelay, outcomeDelay, ticketGrace).map(wait),
  fc.tuple(index, times).map(([at, count]) => advance(at, count)),
  fc.tuple(index, fc.constantFrom(5000, amountCents)).map(([at, cents]) => refund(at, cents)),
  fc.constant(create),
];
const unlikely = [
  fc.constant(sweep),
  index.map(failRefund),
  index.map(open),
  fc.tuple(index, times).map(([at, count]) => extend(at, count)),
  index.map(replaceLink),
  fc.tuple(index, times).map(([at, count]) => requestLink(at, count)),
  index.map(namePayer),
  index.map((at) => connectBank(at, 'user_bad')),
  index.map((at) => connectBank(at, 'user_bank_down')),
  fc.tuple(index, fc.boolean()).map(([at, silent]) => cancel(at, silent)),
  index.map(submitAndCancel),
  fc.tuple(index, payer).map(([at, user]) => simulate(at, user)),
  index.map((at) => simulate(at, 'user_bad')),
  index.map(simulateExpiry),
  fc.constantFrom(sessionLifetime - extensionWindow, sessionLifetime, linkLifetime).map(wait),
];
const commands = fc.commands([...likely, ...likely, ...unlikely], { maxCommands: 40, size: 'max' });
const ready = [create, create, connectBank(1, 'user_good')];
const straight = (user: SandboxUser) => [
  connectBank(0, user),
  authorize(0, 1),
  submit(0, 1),
  wait(outcomeDelay),
  settle(0, 1),
  wait(outcomeDelay),
  settle(0, 1),
];
const beginning = fc
  .tuple(payer, fc.nat(straight('user_good').length))
  .map(([user, steps]) => [...ready, ...straight(user).slice(0, steps)]);
type Commands = fc.AsyncCommand<Model, Real>[];
const certain: [Commands, Commands, boolean][] = [
  [[...ready, ...straight('user_late_return')], [authorize(1, 1)], true],
  [[...ready, ...straight('user_good')], [authorize(1, 3), cancel(0, false), authorize(1, 1)], true],
  [[...ready, ...straight('user_good').slice(0, 2), wait(linkLifetime), submit(0, 1)], [sweep], true],
  [[...ready, ...straight('user_insufficient_funds')], [sweep, authorize(1, 1), cancel(0, false)], true],
  [
    [...ready, ...straight('user_stuck')],
    [authorize(1, 1), cancel(0, true), wait(ticketGrace), sweep, authorize(1, 1)],
    true,
  ],
  [[...ready, ...straight('user_stuck')], [authorize(1, 1), cancel(0, false)], false],
  [[...ready, ...straight('user_sent')], [sweep, cancel(0, false), settle(0, 1)], true],
  [[...ready, ...straight('user_sent').slice(0, 2)], [submitAndCancel(0), sweep, submitAndCancel(0)], true],
  [[...ready, ...straight('user_sent').slice(0, 2)], [cancel(0, true), submit(0, 3), submit(0, 3)], true],
  [[...ready, ...straight('user_good').slice(0, 2)], [submitAndCancel(0), settle(0, 3), sweep], true],
  [ready, [namePayer(1), authorize(1, 2), namePayer(1), submit(1, 1)], true],
  [ready, [replaceLink(1), authorize(1, 1), connectBank(1, 'user_good'), authorize(1, 1), replaceLink(1)], true],
  [
    ready,
    [wait(linkLifetime - 1), replaceLink(0), wait(1), sweep, open(0), wait(sessionLifetime), replaceLink(0), sweep],
    true,
  ],
  [
    ready,
    [
      wait(sessionLifetime - extensionWindow - 1),
      extend(1, 1),
      wait(1),
      extend(1, 3),
      wait(sessionLifetime),
      extend(1, 1),
      authorize(1, 1),
    ],
    true,
  ],
  [ready, [wait(sessionLifetime - 1), extend(1, 3), wait(sessionLifetime), sweep, extend(1, 1)], true],
  [ready, [wait(linkLifetime - 1), open(0), wait(sessionLifetime - 1), extend(0, 1), wait(1), sweep], true],
  [ready, [requestLink(0, 1), wait(linkLifetime), requestLink(0, 3), sweep, wait(day), requestLink(0, 3)], true],
  [ready, [wait(linkLifetime), sweep, requestLink(0, 1), replaceLink(0), requestLink(0, 3), requestLink(1, 1)], true],
  [
    [...ready, ...straight('user_good'), refund(0, amountCents), authorize(1, 1)],
    [wait(outcomeDelay), settle(0, 3), authorize(1, 1), submit(1, 1), refund(0, 5000)],
    true,
  ],
  [
    [...ready, ...straight('user_late_return').slice(0, 5), refund(0, 5000), wait(outcomeDelay)],
    [sweep, settle(0, 3)],
    true,
  ],
  [[...ready, ...straight('user_good'), refund(0, 5000)], [wait(ticketGrace), sweep], true],
  [ready, [connectBank(0, 'user_bank_down'), wait(sessionLifetime), sweep, authorize(1, 1)], false],
];
const refunded = [...ready, ...straight('user_good'), refund(0, amountCents)];
/** The sandbox's bank takes every refund. */
const ofFailedRefunds: typeof certain = [
  [refunded, [failRefund(0), settle(0, 3), authorize(1, 1), refund(0, 5000)], true],
  [refunded, [wait(outcomeDelay), settle(0, 1), failRefund(0), settle(0, 1), authorize(1, 1)], true],
  [refunded, [wait(outcomeDelay), settle(0, 1), authorize(1, 1), failRefund(0), settle(0, 1), submit(1, 1)], true],
];
/** Only the sandbox can do these. */
const simulated: typeof certain = [
  [ready, [simulate(0, 'user_late_return'), advance(0, 3), authorize(1, 1), settle(0, 3), sweep, advance(0, 1)], true],
  [
    ready,
    [simulate(0, 'user_late_return'), settle(0, 1), simulate(1, 'user_good'), wait(outcomeDelay), settle(0, 1)],
    true,
  ],
  [[...ready, ...straight('user_late_return').slice(0, 4)], [advance(0, 1), cancel(0, false), advance(0, 3)], true],
  [[...ready, ...straight('user_good').slice(0, 3)], [advance(0, 3), wait(outcomeDelay), settle(0, 3)], true],
  [[...ready, ...straight('user_stuck').slice(0, 3)], [advance(0, 1), cancel(0, true), advance(0, 1)], true],
  [ready, [simulate(0, 'user_bank_down'), simulate(0, 'user_bad'), simulateExpiry(0), simulateExpiry(1), sweep], false],
];

/** `MODEL_RUNS=50 npx vitest run test/payments/model.test.ts` runs more random sequences. */
const randomRuns = Number(process.env['MODEL_RUNS'] ?? 2);
/** Part of the test's name, because a test that times out reports nothing else. `MODEL_SEED` repeats it. */
const seed = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));

describe('two sessions of one invoice', () => {
  it.each(Object.entries(settings))(
    `match the model under any sequence of commands, by %s (seed ${seed})`,
    async (_, setting) => {
      const { tables, bank } = setting;
      const examples = bank.mode === 'sandbox' ? [...certain, ...simulated] : [...certain, ...ofFailedRefunds];
      statusesSeen.clear();
      // Runs are a year apart, so sweeps never find older rows.
      let start = Date.parse('9000-11-20T10:00:00.000Z');
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(
          beginning,
          commands,
          fc.boolean(),
          async (first, chosen: Iterable<fc.AsyncCommand<Model, Real>>, guard) => {
            start -= 365 * day;
            runs += 1;
            const service = startService({
              database: tables.database,
              bank,
              practice: aPractice({ ...bank.practice, practiceId: `prc_${runs}`, invoiceGuard: guard }),
            });
            service.clock.now = start;
            const model = new Model(start, guard, bank);
            const real = { service, ids: [], ended: new Map() };
            for (const command of first) await command.run(model, real);
            await fc.asyncModelRun(() => ({ model, real }), chosen);
          },
        ),
        { numRuns: examples.length + randomRuns, examples, seed },
      );
      expect([...statusesSeen].sort()).toEqual([
        'cancelled expired',
        'cancelled requested_by_practice',
        'failed',
        'pending',
        'processing',
        'succeeded',
        ...(bank.mode === 'live' ? ['succeeded refund failed'] : []),
        'succeeded refunded',
        'succeeded returned',
        'succeeded returned, refunded',
      ]);
    },
  );
});
