import { Fault } from '../domain/fault.ts';
import { daysIn, daysUntil, hourIn, type Clock } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { readPractices } from '../store/practices/practices.ts';
import { notifyOfDay } from './notify.ts';

interface SummaryTools {
  readonly database: Database<'practices' | 'members' | 'rateLimits'>;
  readonly sendMails: SendTickets;
  readonly clock: Clock;
}

/** The hours in which an hourly run mails: the second and third make up for a run that failed. */
const morning: readonly number[] = [7, 8, 9];

/** Mails yesterday's summary where it is morning. Throws at the end if anything failed. */
export async function mailSummaries({ clock, ...tools }: SummaryTools): Promise<void> {
  const now = clock();
  const { practices, unreadableIds } = await readPractices(tools.database);
  let due = 0;
  let failed = unreadableIds.length;
  for (const { practiceId, timeZone } of practices) {
    try {
      // Throws if Node no longer knows the time zone.
      if (!morning.includes(hourIn(timeZone, now))) continue;
      due += 1;
      const [yesterday = ''] = daysUntil(daysIn(timeZone)(now), 2);
      await notifyOfDay(tools, { practiceId, day: yesterday }, now);
    } catch (error) {
      failed += 1;
      logFault('summary not mailed', error, { practiceId });
    }
  }
  logInfo('summaries mailed', { practices: due, failed });
  if (failed > 0) throw new Fault(`${failed} summaries could not be mailed`);
}
