import { sha256 } from '../../domain/identifier.ts';
import type { ChargeType } from '../../domain/processor-debit.ts';
import type { Session } from '../../domain/session.ts';
import { logError } from '../../log.ts';
import type { ConnectionStarter } from '../processor.ts';
import { chargingOf } from './charge-type.ts';
import type { CallStripe } from './client.ts';
import { logRefusal } from './refusal.ts';
import { minuteKey } from './request-key.ts';

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
          const { id: customer } = await stripe.customers.create(
            { metadata: { sessionId, practiceId } },
            { ...request, idempotencyKey: minuteKey('customer', sessionId, now) },
          );
          const started = await stripe.financialConnections.sessions.create(
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
          );
          if (started.client_secret === null) return { result: 'unavailable' };
          const client = { publishableKey, account: pickerAccount, clientSecret: started.client_secret };
          return { result: 'started', connectionId: started.id, client };
        });
      } catch (error) {
        logRefusal(error, sessionId);
        return { result: 'unavailable' };
      }
    },
  };
}

/** A start that is repeated at once gets the same connection; a later visit or the holder of a new link never does. */
function visit({ sessionId, tokenHash, bankConnectionId = '' }: Session): string {
  return `${sessionId}:${sha256(`${tokenHash}#${bankConnectionId}`)}`;
}
