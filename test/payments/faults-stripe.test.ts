import { afterAll, it } from 'vitest';
import { startTestTables } from '../support/tables.ts';
import { startStripe } from '../support/stripe.ts';
import { describePayments, expectToSurviveKills } from './faults.ts';
import { ways } from './payment-run.ts';
import { stripeBank, refusals } from './stripe-bank.ts';

const stripe = await startStripe();
afterAll(() => stripe.stop());
const tables = await startTestTables('live');

describePayments(
  'Stripe',
  { tables, bank: await stripeBank(stripe) },
  // Whatever does not reach the processor is the same as in the sandbox.
  { ...ways, 'that fails': { ...ways['that fails'], steps: ['submit', 'settle'] } },
);

// The other two take the same steps as these.
it.each(refusals.filter((refusal) => refusal === 'unconfirmable' || refusal === 'needs_deposits'))(
  'a payment that Stripe refuses because it is %s ends correctly if a process is killed',
  async (refusal) =>
    expectToSurviveKills({ tables, bank: await stripeBank(stripe, { refusal }) }, ways['that is refused']),
);
