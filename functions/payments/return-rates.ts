import { firstSessionIdAt } from '../domain/identifier.ts';
import { longestLinkLife } from '../domain/sessions/session.ts';
import { returnPeriod, returnRatesOf } from '../domain/payments/return-rates.ts';
import { day, toIso } from '../domain/time.ts';
import { logInfo } from '../log.ts';
import type { ReadingTools } from '../store/database.ts';
import { listPayments } from '../store/sessions/session-list.ts';

/** A link can be that old when its debit is authorized, and the patient can extend it for a few hours. */
const oldestSession = returnPeriod + longestLinkLife + day;

/** Reads the return rates of the last 60 days' debits. */
export async function readReturnRates(
  { database }: ReadingTools,
  practiceId: string,
  now: number,
): Promise<ReturnType<typeof returnRatesOf>> {
  const since = firstSessionIdAt(now - oldestSession);
  const lists = await Promise.all(
    (['processing', 'succeeded', 'failed'] as const).map((status) =>
      listPayments(database, practiceId, { status, since }),
    ),
  );
  const start = toIso(now - returnPeriod);
  const payments = lists.flatMap((list) => list.payments);
  return returnRatesOf(payments.filter(({ processingAt = '' }) => processingAt >= start));
}

/** Reports each rate as a metric, whose alarm warns at half of a ceiling. */
export async function watchReturnRates(tools: ReadingTools, practiceId: string, now: number): Promise<void> {
  const { rates } = await readReturnRates(tools, practiceId, now);
  for (const { kind, rate, ceiling, returns } of rates) {
    const percent = Math.floor((rate / ceiling) * 100);
    logInfo('return rate', { practiceId, kind, returns, percentOfCeiling: percent }, [
      { metric: 'ReturnRate', value: percent, by: kind },
    ]);
  }
}
