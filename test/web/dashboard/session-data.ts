import type { SessionDetail, MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { day, hour, minute } from '../../../functions/domain/time.ts';
import { deliveries } from './delivery-data.ts';
import { before } from './time-data.ts';

export const paidSessionId = 'ses_01KAGPAID00000000000000000';

const patients = [
  { firstName: 'Maria', lastName: 'Lopez' },
  { firstName: 'James', lastName: 'O’Neill' },
  { firstName: 'Wei', lastName: 'Zhang' },
  { firstName: 'Aaliyah', lastName: 'Robinson-Fitzgerald' },
];

function session(sessionId: string, age: number, facts: Partial<MemberSession>): MemberSession {
  return {
    sessionId,
    invoiceId: 'INV-1043',
    status: 'pending',
    amountCents: 18_250,
    createdAt: before(age),
    metadata: {},
    expiresAt: before(age - 7 * day),
    patient: { firstName: 'Maria', lastName: 'Lopez' },
    ...facts,
  };
}

const opened = { openedAt: before(5 * day + 10 * minute), processingAt: before(5 * day) };

/** Newest first: one of each kind, then 60 that were paid. */
export function sessions(): SessionDetail[] {
  const each: MemberSession[] = [
    session('ses_01KAGPENDING0000000000000', 20 * minute, {
      invoiceId: 'INV-1051',
      patient: { firstName: 'James', lastName: 'O’Neill' },
      metadata: { location: 'Main Street', visit: '2026-11-19' },
    }),
    session('ses_01KAGPROCESSING0000000000', 3 * hour, {
      invoiceId: 'INV-1050',
      status: 'processing',
      amountCents: 240_000,
      openedAt: before(2 * hour + 10 * minute),
      processingAt: before(2 * hour),
    }),
    session(paidSessionId, 6 * day, { ...opened, status: 'succeeded', settledAt: before(2 * day) }),
    session('ses_01KAGRETURNED000000000000', 9 * day, {
      ...opened,
      invoiceId: 'INV-1038',
      status: 'succeeded',
      amountCents: 9_900,
      settledAt: before(4 * day),
      return: { code: 'insufficient_funds', achReturnCode: 'R01', returnedAt: before(day) },
    }),
    session('ses_01KAGFAILED00000000000000', 10 * day, {
      ...opened,
      invoiceId: 'INV-1037',
      status: 'failed',
      failedAt: before(4 * day),
      failure: { code: 'account_closed', message: 'The account is closed.', achReturnCode: 'R02' },
    }),
    session('ses_01KAGCANCELLED00000000000', 11 * day, {
      invoiceId: '=HYPERLINK("https://evil.example")',
      status: 'cancelled',
      cancelledAt: before(4 * day),
      cancellation: { reason: 'expired' },
    }),
    ...Array.from({ length: 60 }, (_, index) =>
      session(`ses_01KAF${String(index).padStart(18, '0')}`, (12 + index) * day, {
        invoiceId: `INV-${1030 - index}`,
        status: 'succeeded',
        amountCents: 4_500 + index * 1_250,
        processingAt: before((11 + index) * day),
        settledAt: before((8 + index) * day),
        ...(patients[index % 4] && { patient: patients[index % 4] }),
      }),
    ),
  ];
  const sent = deliveries();
  return each.map((one) => ({
    session: one,
    bankConnectionAttemptsRemaining: 5,
    ...(one.processingAt !== undefined && {
      bankConnectedAt: one.processingAt,
      bankAccount: { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' } as const,
    }),
    events: sent
      .filter(({ delivery }) => delivery.sessionId === one.sessionId)
      .map(({ delivery, body = '{}' }) => ({
        eventId: delivery.eventId,
        type: delivery.eventType,
        createdAt: delivery.createdAt,
        body,
        isSending: false,
        deliveries: [delivery],
      })),
  }));
}
