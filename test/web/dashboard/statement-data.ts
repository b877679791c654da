import type { Statement } from '../../../functions/contract/dashboard-api/get-statement.ts';

const day = (date: string, grossCents: number, returnedCents: number, payoutIds: string[]) => {
  const feeCents = Math.round(grossCents * 0.008) + (returnedCents < 0 ? 400 : 0);
  const netCents = grossCents + returnedCents - feeCents;
  const amounts = { grossCents, refundedCents: 0, returnedCents, otherCents: 0, feeCents, netCents };
  return { day: date, ...amounts, inTransitCents: payoutIds.length > 0 ? 0 : netCents, payoutIds };
};

export function aStatement(month = '2026-11'): Statement {
  const paid = day(`${month}-03`, 182_50, 0, ['po_1TestPayout']);
  const { day: _day, inTransitCents: _inTransit, payoutIds: _ids, ...amounts } = paid;
  return {
    timeZone: 'America/New_York',
    month,
    days: [paid, day(`${month}-10`, 96_400, -18_250, []), day(`${month}-19`, 42_000, 0, [])],
    payouts: [
      {
        payoutId: 'po_1TestPayout',
        day: `${month}-07`,
        arrivesOn: `${month}-09`,
        status: 'paid',
        amountCents: amounts.netCents,
        ...amounts,
        addsUp: true,
      },
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
