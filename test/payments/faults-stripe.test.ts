import { afterAll } from 'vitest';
import { startTestTables } from '../support/tables.ts';
import { startStripe } from '../support/stripe.ts';
import { describePayments } from './faults.ts';
import { ways } from './payment-run.ts';
import { stripeBank } from './stripe-bank.ts';

const stripe = await startStripe();
afterAll(() => stripe.stop());

describePayments(
  'Stripe',
  { tables: await startTestTables('live'), bank: await stripeBank(stripe) },
  // What does not reach the processor is the same as in the sandbox.
  { ...ways, 'that fails': { ...ways['that fails'], steps: ['submit', 'settle'] } },
);
