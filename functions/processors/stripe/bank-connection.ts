import * as z from 'zod/mini';
import { bankAccount, type ChargeType } from '../../domain/payments/debit.ts';
import { payerOf, type Session } from '../../domain/sessions/session.ts';
import { statementTextOf } from '../../domain/practices/practice.ts';
import { sha256 } from '../../domain/identifier.ts';
import { logError } from '../../log.ts';
import type { BankConnector, ConnectionStarter } from '../processor.ts';
import { bankOf, chargingOf, writeAccount } from './account.ts';
import { minuteKey, type CallStripe } from './client.ts';
import { isDecline, logFailedCall } from './failures.ts';

const madeConnection = z.object({
  account_holder: z.object({ customer: z.string() }),
  accounts: z.object({ data: z.array(z.object({ id: z.string() })) }),
});

const paymentMethod = z.object({
  id: z.string(),
  us_bank_account: z.object({ bank_name: z.string(), account_type: z.string(), last4: z.string() }),
});

/** Trusts nothing from the browser: retrieves the connection that the session started. */
export function stripeConnector(call: CallStripe, chargeType: ChargeType): BankConnector {
  return {
    async connectBank({ session, practice }, now) {
      const { sessionId, bankConnectionId } = session;
      const { depositAccountId } = practice;
      if (bankConnectionId === undefined || depositAccountId === undefined) return { result: 'refused' };
      const deposit = { chargeType, account: depositAccountId };
      const { request } = chargingOf(deposit);
      try {
        return await call(async (stripe) => {
          const found = z.parse(
            madeConnection,
            await stripe.financialConnections.sessions.retrieve(bankConnectionId, {}, request),
          );
          const [account] = found.accounts.data;
          if (!account) return { result: 'refused' };
          // Shows whether the account can be debited. The debit gets its own method, with the name that the payer confirmed.
          const method = z.parse(
            paymentMethod,
            await stripe.paymentMethods.create(
              {
                ...bankOf(account.id, payerOf(session) ?? ''),
                metadata: { sessionId },
              },
              { ...request, idempotencyKey: minuteKey('method', `${sessionId}:${account.id}`, now) },
            ),
          );
          const { bank_name: bankName, account_type: accountType, last4 } = method.us_bank_account;
          return {
            result: 'connected',
            bankAccount: z.parse(bankAccount, { bankName, accountType, last4 }),
            processorAccount: writeAccount({
              deposit,
              customer: found.account_holder.customer,
              bankAccount: account.id,
              statementDescriptor: statementTextOf(practice),
            }),
          };
        });
      } catch (error) {
        logFailedCall(error, sessionId);
        return { result: isDecline(error) ? 'refused' : 'unavailable' };
      }
    },
  };
}

const identified = z.object({ id: z.string() });
const startedConnection = z.object({ id: z.string(), client_secret: z.string() });

export function stripeStarter(call: CallStripe, chargeType: ChargeType): ConnectionStarter {
  return {
    async startConnection({ session, practice }, now) {
      const { sessionId, practiceId } = session;
      if (practice.depositAccountId === undefined) {
        logError('practice without a deposit account', { sessionId, practiceId });
        return { result: 'unavailable' };
      }
      const { request, pickerAccount } = chargingOf({ chargeType, account: practice.depositAccountId });
      try {
        return await call(async (stripe, { publishableKey }) => {
          const { id: customer } = z.parse(
            identified,
            await stripe.customers.create(
              { metadata: { sessionId, practiceId } },
              { ...request, idempotencyKey: minuteKey('customer', sessionId, now) },
            ),
          );
          const { id: connectionId, client_secret: clientSecret } = z.parse(
            startedConnection,
            await stripe.financialConnections.sessions.create(
              {
                account_holder: { type: 'customer', customer },
                permissions: ['payment_method'],
                filters: {
                  account_subcategories: ['checking', 'savings'],
                  require_payment_method_support: 'all',
                },
                limits: { accounts: 1 },
                manual_entry: { mode: 'disabled' },
              },
              { ...request, idempotencyKey: minuteKey('connection', visit(session), now) },
            ),
          );
          return { result: 'started', connectionId, client: { publishableKey, account: pickerAccount, clientSecret } };
        });
      } catch (error) {
        logFailedCall(error, sessionId);
        return { result: 'unavailable' };
      }
    },
  };
}

/** Identifies one start of the picker: a retry gets the same connection, but a later start or a new link never does. */
function visit({ sessionId, tokenHash, bankConnectionId = '' }: Session): string {
  return `${sessionId}:${sha256(`${tokenHash}#${bankConnectionId}`)}`;
}
