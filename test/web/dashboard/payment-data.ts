import type { SessionDetail, MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { day, hour, minute } from '../../../functions/domain/time.ts';
import type { OpenedPayout, Statement } from '../../../functions/contract/payments/dashboard-payouts.ts';
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

type Payout = Statement['payouts'][number];

const amountsOf = (grossCents: number, returnedCents = 0) => {
  const feeCents = Math.round(grossCents * 0.008) + (returnedCents < 0 ? 400 : 0);
  return {
    grossCents,
    refundedCents: 0,
    returnedCents,
    otherCents: 0,
    feeCents,
    applicationFeeCents: 0,
    netCents: grossCents + returnedCents - feeCents,
  };
};

/** A month with a payout that arrived, one that failed and came again, and one that failed last. */
export function aStatement(month = '2026-11'): Statement {
  const [first, second, third] = [amountsOf(182_50), amountsOf(42_000), amountsOf(96_400, -18_250)];
  const payout = (payoutId: string, day: number, differences: Partial<Payout>): Payout => ({
    payoutId,
    day: `${month}-${String(day).padStart(2, '0')}`,
    arrivesOn: `${month}-${String(day + 2).padStart(2, '0')}`,
    status: 'paid',
    ...first,
    amountCents: differences.netCents ?? first.netCents,
    addsUp: true,
    failedPayoutIds: [],
    ...differences,
  });
  const again = { ...amountsOf(0), otherCents: second.netCents, netCents: second.netCents };
  return {
    timeZone: 'America/New_York',
    month,
    days: [
      {
        day: `${month}-03`,
        ...first,
        processingCents: 0,
        inTransitCents: 0,
        payoutIds: ['po_1TestPayout'],
        failedPayoutIds: [],
      },
      {
        day: `${month}-05`,
        ...second,
        processingCents: 0,
        inTransitCents: 0,
        payoutIds: ['po_4TestPayout'],
        failedPayoutIds: ['po_2Failed'],
      },
      {
        day: `${month}-10`,
        ...third,
        processingCents: 0,
        inTransitCents: third.netCents,
        payoutIds: [],
        failedPayoutIds: ['po_3Failed'],
      },
      {
        day: `${month}-19`,
        ...second,
        processingCents: 69_500,
        inTransitCents: second.netCents,
        payoutIds: [],
        failedPayoutIds: [],
      },
    ],
    payouts: [
      payout('po_1TestPayout', 7, {}),
      payout('po_2Failed', 9, {
        ...second,
        status: 'failed',
        failureCode: 'no_account',
        nextPayoutId: 'po_4TestPayout',
      }),
      payout('po_4TestPayout', 13, { ...again, failedPayoutIds: ['po_2Failed'] }),
      payout('po_3Failed', 16, { ...third, status: 'failed', failureCode: 'account_closed' }),
    ],
    returnRates: {
      debits: 240,
      rates: [
        { kind: 'unauthorized', returns: 1, rate: 1 / 240, ceiling: 0.005 },
        { kind: 'administrative', returns: 0, rate: 0, ceiling: 0.03 },
        { kind: 'overall', returns: 4, rate: 4 / 240, ceiling: 0.15 },
      ],
    },
  };
}

/** The first payout of the statement, with a payment and a return. */
export function anOpenedPayout(sessionId: string): OpenedPayout {
  const { payouts } = aStatement();
  const line = { at: '2026-11-03T15:00:00.000Z', sessionId, invoiceId: 'INV-1042', receiptNumber: 'SDZMFS4Q7T' };
  return {
    payout: { ...payouts[0]!, ...amountsOf(182_50) },
    lines: [
      {
        ...line,
        category: 'payment',
        amountCents: 18_250,
        feeCents: 146,
        applicationFeeCents: 46,
        netCents: 18_104,
        bookingId: 'txn_1',
      },
      { at: line.at, category: 'other', amountCents: 0, feeCents: 0, netCents: 0, bookingId: 'txn_2' },
    ],
  };
}
