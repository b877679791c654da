import type { Patient, Session } from '../../functions/domain/sessions/session.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { day, hour, toIso } from '../../functions/domain/time.ts';
import { insert } from '../../functions/store/rows.ts';
import { listAttributes } from '../../functions/store/sessions/sessions.ts';
import { aSession } from '../support/examples.ts';
import type { databaseOf } from '../support/tables.ts';

const patients = [
  ['Ada', 'Okafor'],
  ['Miguel', 'Santos-Alvarez'],
  ['Priya', 'Raman'],
  ['Jonathan', 'Featherstonehaugh'],
  ['Lena', 'Brandt'],
  ['Thu', 'Nguyen'],
] as const;

export function patientAt(index: number): Patient {
  const [firstName, lastName] = patients[index % patients.length] ?? patients[0];
  return { firstName, lastName };
}

/** The same numbers in every run. */
export function amountAt(index: number): number {
  return 2_500 + ((index * 7_919) % 41_000);
}

/** Weeks of payments, which the API cannot create in the past. */
export async function writeHistory(
  database: ReturnType<typeof databaseOf>,
  practiceId: string,
  now: number,
): Promise<void> {
  const rows: Session[] = [];
  for (let age = 29; age >= 1; age -= 1) {
    const weekend = [0, 6].includes(new Date(now - age * day).getUTCDay());
    for (let count = 0; count < (weekend ? 1 : 2 + (age % 3)); count += 1) {
      const index = age * 5 + count;
      const createdAt = now - age * day - count * hour;
      rows.push(
        aSession({
          practiceId,
          sessionId: `ses_${ulid(createdAt, (size) => Buffer.alloc(size, index))}`,
          tokenHash: `history-${index}`,
          invoiceId: `INV-${1_900 - index}`,
          amountCents: amountAt(index),
          patient: patientAt(index),
          createdAt: toIso(createdAt),
          expiresAt: toIso(createdAt + 7 * day),
          ...outcomeAt(index, createdAt, now),
        }),
      );
    }
  }
  for (const row of rows) await insert(database, 'sessions', { ...row, ...listAttributes(row) }, 'sessionId');
}

function outcomeAt(index: number, createdAt: number, now: number): Partial<Session> {
  if (index % 13 === 0)
    return {
      status: 'cancelled',
      cancelledAt: toIso(createdAt + 7 * day),
      cancellation: { reason: 'expired' },
    };
  const processingAt = toIso(createdAt + 2 * hour);
  const settledAt = createdAt + 2 * day;
  if (settledAt > now) return { status: 'processing', processingAt };
  return { status: 'succeeded', processingAt, settledAt: toIso(settledAt) };
}
