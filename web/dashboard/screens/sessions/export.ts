import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { call, type Answer } from '../../api.ts';
import { addDays, dayOf, startOfDay } from '../../days.ts';

interface Reading {
  readonly practiceId: string;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

export interface ReadSoFar {
  readonly count: number;
  /** From 0 to 1: how much of the time range the export has read. */
  readonly share: number;
}

/** In days. A link is open for a year at most, and its payment settles within two weeks. */
const longestLife = 380;

/** The payments that were created or paid on these days, newest first. */
export async function readPayments(
  { by, from, to }: { readonly by: string; readonly from: string; readonly to: string },
  { practiceId, timeZone, signal }: Reading,
  onRead: (soFar: ReadSoFar) => void,
): Promise<Answer<readonly MemberSession[]>> {
  const isPaid = by === 'paid';
  const end = startOfDay(addDays(to, 1), timeZone);
  // The API lists by the time of creation only.
  const start = startOfDay(isPaid ? addDays(from, -longestLife) : from, timeZone);
  const paidSince = startOfDay(from, timeZone);
  const wasPaid = ({ settledAt = '' }: MemberSession) =>
    Date.parse(settledAt) >= paidSince && Date.parse(settledAt) < end;
  const query = {
    createdSince: new Date(start).toISOString(),
    createdBefore: new Date(end).toISOString(),
    limit: '100',
    ...(isPaid && { status: 'succeeded' }),
  };

  const payments: MemberSession[] = [];
  let oldest = end;
  let cursor: string | null | undefined;
  do {
    onRead({ count: payments.length, share: (end - oldest) / (end - start) });
    const answer = await call('listSessions', { params: { practiceId }, query: { ...query, cursor }, signal });
    if (!answer.ok) return answer;
    const { data, nextCursor } = answer.value;
    payments.push(...(isPaid ? data.filter(wasPaid) : data));
    oldest = Date.parse(data.at(-1)?.createdAt ?? '') || oldest;
    cursor = nextCursor;
  } while (cursor !== null);
  return { ok: true, value: payments };
}

/** The payout of each payment that has one, by session. Reads the statements of the months in which they were paid. */
export async function readPayoutIds(
  payments: readonly MemberSession[],
  { practiceId, timeZone, signal }: Reading,
): Promise<Answer<ReadonlyMap<string, string>>> {
  const payoutIds = new Map<string, string>();
  for (const month of new Set(payments.flatMap((payment) => monthsOf(payment, timeZone)))) {
    const answer = await call('listStatementLines', { params: { practiceId }, query: { month }, signal });
    if (!answer.ok) return answer;
    for (const { category, sessionId, payoutId } of answer.value.lines)
      if (category === 'payment' && sessionId !== undefined && payoutId !== undefined)
        payoutIds.set(sessionId, payoutId);
  }
  return { ok: true, value: payoutIds };
}

/**
 * A payment is booked between its authorization and the day after it settled: a destination charge can be booked a little
 * after we learn that it settled.
 */
function monthsOf({ processingAt, settledAt }: MemberSession, timeZone: string): string[] {
  if (processingAt === undefined || settledAt === undefined) return [];
  const authorized = dayOf(Date.parse(processingAt), timeZone);
  const settled = dayOf(Date.parse(settledAt), timeZone);
  return [authorized, addDays(settled, 1)].map((day) => day.slice(0, 7));
}
