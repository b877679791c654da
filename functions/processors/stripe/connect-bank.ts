import * as z from 'zod/mini';
import { bankAccount, type ChargeType } from '../../domain/payments/debit.ts';
import { payerOf } from '../../domain/sessions/session.ts';
import { statementTextOf } from '../../domain/payments/statement-descriptor.ts';
import type { BankConnector } from '../processor.ts';
import { bankOf, chargingOf, writeAccount } from './account.ts';
import { minuteKey, type CallStripe } from './client.ts';
import { isDecline, logFailedCall } from './failures.ts';

const connection = z.object({
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
            connection,
            await stripe.financialConnections.sessions.retrieve(bankConnectionId, {}, request),
          );
          const [account] = found.accounts.data;
          if (!account) return { result: 'refused' };
          // Tells whether the account can be debited. The debit gets its own, with the name that the payer confirmed.
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
