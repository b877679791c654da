import { Fault } from '../domain/fault.ts';
import { second } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import { oldestOpenCancellation, oldestUnsubmittedDebit } from '../store/sessions/sessions.ts';
import { duties, type DutiesTools } from './duties.ts';

/** A round that starts at the deadline still fits into the function's timeout. */
const runTime = 35 * second;

export async function sweep(tools: DutiesTools): Promise<void> {
  const deadline = tools.clock() + runTime;
  const results = duties(tools).map((perform) => perform(tools.clock, deadline));
  const failures = await Promise.all([watch(tools), ...results]);
  const failed = failures.reduce((sum, count) => sum + count, 0);
  if (failed > 0) throw new Fault(`${failed} due rows failed`);
}

async function watch({ database, clock }: DutiesTools): Promise<number> {
  try {
    const [debit, cancellation] = await Promise.all([
      oldestUnsubmittedDebit(database),
      oldestOpenCancellation(database),
    ]);
    const secondsSince = (time: string | undefined) =>
      time === undefined ? 0 : Math.max(0, clock() - Date.parse(time)) / second;
    logInfo('watched', {}, [
      { metric: 'OldestUnsubmittedDebit', value: secondsSince(debit) },
      { metric: 'OldestOpenCancellation', value: secondsSince(cancellation) },
    ]);
    return 0;
  } catch (error) {
    logFault('watch failed', error);
    return 1;
  }
}
