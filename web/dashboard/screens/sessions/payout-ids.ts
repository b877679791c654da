import type { MemberSession } from '../../../../functions/contract/sessions/dashboard-sessions.ts';
import { call, type Answer } from '../../api.ts';
import { addDays, dayOf } from '../../days.ts';

interface Reading {
  readonly practiceId: string;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/** The payout of each payment that has one, by session. Reads the statements of the months in which they were paid. */
export async function readPayoutIds(
  sessions: readonly MemberSession[],
  { practiceId, timeZone, signal }: Reading,
): Promise<Answer<ReadonlyMap<string, string>>> {
  const payoutIds = new Map<string, string>();
  for (const month of new Set(sessions.flatMap((session) => monthsOf(session, timeZone)))) {
    const answer = await call('listStatementLines', { params: { practiceId }, query: { month }, signal });
    if (!answer.ok) return answer;
    for (const { category, sessionId, payoutId } of answer.value.lines)
      if (category === 'payment' && sessionId !== undefined && payoutId !== undefined)
        payoutIds.set(sessionId, payoutId);
  }
  return { ok: true, value: payoutIds };
}

/** The bank paid after the authorization. We can learn that later, and a destination charge is booked a little later still. */
function monthsOf({ processingAt, settledAt }: MemberSession, timeZone: string): string[] {
  if (processingAt === undefined || settledAt === undefined) return [];
  const authorized = dayOf(Date.parse(processingAt), timeZone);
  const settled = dayOf(Date.parse(settledAt), timeZone);
  return [authorized, addDays(settled, 1)].map((day) => day.slice(0, 7));
}
