import { afterAll } from 'vitest';
import { startLiveTables } from '../support/live-tables.ts';
import { startStripe } from '../support/stripe.ts';
import { describePayments } from './faults.ts';
import { stripeBank } from './stripe-bank.ts';

const stripe = await startStripe();
afterAll(() => stripe.stop());

describePayments('Stripe', { tables: await startLiveTables(), bank: await stripeBank(stripe) });
