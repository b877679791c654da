import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { controlOf } from '../support/stripe.ts';
import type { Answer, Patient } from '../support/patient.ts';
import type { Debit, Row } from './check.ts';
import type { StackOptions } from './stack-process.ts';

export interface Bank {
  /** Whose accounts end in every way that there is. */
  readonly users: readonly string[];
  connect(patient: Patient, user: string): Promise<Answer>;
  debits(rows: { readonly sandboxDebits: readonly Row[] }): Promise<Debit[]>;
}

const failing = ['user_insufficient_funds', 'user_processor_error'];

export function sandboxBank(password: string): Bank {
  return {
    users: ['user_good', 'user_good', 'user_good', 'user_late_return', 'user_stuck', 'user_sent', ...failing],
    connect: (patient, user) => patient.connectBank(user, password),
    async debits({ sandboxDebits }) {
      return sandboxDebits.flatMap(({ sessionId, debit, voidedAt, refunds = [] }): Debit[] =>
        debit === undefined
          ? []
          : [
              {
                sessionId,
                cents: debit.amountCents,
                state: voidedAt !== undefined ? 'voided' : failing.includes(debit.username) ? 'failed' : 'taken',
                refunds: refunds.map(({ amountCents }: Row) => amountCents),
              },
            ],
      );
    },
  };
}

/** The stand-in for Stripe that the stack starts. Its books are a file. */
export function stripeBank({ port, dataDir }: StackOptions): Bank {
  const control = controlOf(`http://127.0.0.1:${port + 5}`);
  return {
    users: ['success', 'success', 'success', 'late_return', 'stays_processing', 'insufficient_funds'],
    async connect(patient, user) {
      const started = await patient.startConnection();
      if (started.status !== 200) return started;
      await control.connectBank(String(started.body['clientSecret']), user);
      return patient.finishConnection();
    },
    async debits() {
      const books = JSON.parse(await readFile(join(dataDir, 'stripe.json'), 'utf8'));
      const valuesOf = (kind: string): Row[] => (books[kind] ?? []).map(({ value }: { value: Row }) => value);
      const refunds = valuesOf('refund');
      return valuesOf('payment_intent')
        .filter(({ status }) => status !== 'requires_confirmation')
        .map(({ id, amount, status, metadata, last_payment_error: error }) => ({
          sessionId: metadata.sessionId,
          cents: amount,
          state: status === 'canceled' ? 'voided' : error ? 'failed' : 'taken',
          refunds: refunds.filter((refund) => refund['payment_intent'] === id).map((refund) => refund['amount']),
        }));
    },
  };
}
