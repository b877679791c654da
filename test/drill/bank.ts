import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { controlOf } from '../support/stripe.ts';
import type { Answer, Patient } from '../support/patient.ts';
import type { Debit, Row } from './check.ts';
import type { StackOptions } from './stack-process.ts';

export interface Bank {
  /** Whose debits succeed, fail, are refused, are returned or stay open. */
  readonly users: readonly string[];
  connect(patient: Patient, user: string): Promise<Answer>;
  debits(rows: { readonly sandboxDebits: readonly Row[] }): Promise<Debit[]>;
  /** What the bank still has to do. */
  unfinished(): Promise<string[]>;
  /** Sends every notification again: a kill makes the stand-in forget those that it had to repeat, and Stripe forgets none. */
  notifyAgain(): Promise<void>;
}

const failing = ['user_insufficient_funds', 'user_processor_error'];

export function sandboxBank(password: string): Bank {
  return {
    users: ['user_good', 'user_good', 'user_good', 'user_late_return', 'user_stuck', 'user_sent', ...failing],
    connect: (patient, user) => patient.connectBank(user, password),
    async debits({ sandboxDebits }) {
      return sandboxDebits.flatMap(({ sessionId, debit, voidedAt, reportedAt, refunds = [] }): Debit[] =>
        debit === undefined
          ? []
          : [
              {
                sessionId,
                cents: debit.amountCents,
                state: stateOf(voidedAt !== undefined, reportedAt === undefined, failing.includes(debit.username)),
                refunds: refunds.map(({ amountCents }: Row) => amountCents),
              },
            ],
      );
    },
    unfinished: async () => [],
    notifyAgain: async () => undefined,
  };
}

function stateOf(isVoided: boolean, isOpen: boolean, isFailed: boolean): Debit['state'] {
  if (isVoided) return 'voided';
  if (isOpen) return 'open';
  return isFailed ? 'failed' : 'taken';
}

/** The stand-in for Stripe that the stack starts. Its books are a file. */
export function stripeBank({ port, dataDir }: StackOptions): Bank {
  const control = controlOf(`http://127.0.0.1:${port + 5}`);
  const read = async (kind: string): Promise<Row[]> => {
    const books = JSON.parse(await readFile(join(dataDir, 'stripe.json'), 'utf8'));
    return (books[kind] ?? []).map(({ value }: { value: Row }) => value);
  };
  return {
    users: ['success', 'success', 'success', 'late_return', 'stays_processing', 'insufficient_funds'],
    async connect(patient, user) {
      const started = await patient.startConnection();
      if (started.status !== 200) return started;
      await control.connectBank(String(started.body['clientSecret']), user);
      return patient.finishConnection();
    },
    async debits() {
      const refunds = await read('refund');
      return (await read('payment_intent'))
        .filter(({ status }) => status !== 'requires_confirmation')
        .map(({ id, amount, status, metadata, last_payment_error: error }) => ({
          sessionId: metadata.sessionId,
          cents: amount,
          state: stateOf(status === 'canceled', status === 'processing', Boolean(error)),
          refunds: refunds.filter((refund) => refund['payment_intent'] === id).map((refund) => refund['amount']),
        }));
    },
    unfinished: async () =>
      (await read('task')).filter(({ does }) => does !== 'pay_out').map(({ id, does }) => `${does} ${id}`),
    async notifyAgain() {
      for (const { id } of (await control.read()).events) {
        const status = await control.resend(id);
        if (status < 200 || status > 299) throw new Error(`a notification was answered with ${status}`);
      }
    },
  };
}
