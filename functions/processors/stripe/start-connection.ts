import * as z from 'zod/mini';
import { sha256 } from '../../domain/identifier.ts';
import type { ChargeType } from '../../domain/payments/debit.ts';
import type { Session } from '../../domain/sessions/session.ts';
import { logError } from '../../log.ts';
import type { ConnectionStarter } from '../processor.ts';
import { chargingOf } from './account.ts';
import { minuteKey, type CallStripe } from './client.ts';
import { logFailedCall } from './failures.ts';

const identified = z.object({ id: z.string() });
const connection = z.object({ id: z.string(), client_secret: z.string() });

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
            connection,
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

/** Identifies a start of the picker: a retry gets the same connection, but a later start or a new link never does. */
function visit({ sessionId, tokenHash, bankConnectionId = '' }: Session): string {
  return `${sessionId}:${sha256(`${tokenHash}#${bankConnectionId}`)}`;
}
