import { getCheckedEvidence } from '../../functions/payments/proof.ts';
import { redrive } from '../../functions/webhooks/redrive.ts';
import { command } from './command.ts';
import { destroy } from './destroy-command.ts';
import { describe, printable, table } from './layout.ts';
import { session, text } from './option.ts';

const group = 'Operations';

export const operationCommands = {
  evidence: command({
    group,
    summary: 'Show the authorization that a patient accepted.',
    options: { session },
    run: (stack, { session: sessionId }) => getCheckedEvidence(stack, { sessionId }),
    show: ({ text: accepted, ...facts }, page) =>
      [describe(page, facts), ...accepted.split('\n').map(printable)].join('\n\n'),
  }),
  redrive: command({
    group,
    summary: 'Retry what is in the dead-letter queues.',
    options: { queue: text('NAME', "the alarm's name; every queue by default", 'FailedSettlements') },
    run: redrive,
    show: ({ redriven, dropped, kept }, page) =>
      table(
        page,
        ['Queue', 'Redriven', 'Dropped', 'Kept'],
        Object.keys(redriven).map((queue) => [queue, redriven[queue], dropped[queue], kept[queue]]),
      ),
  }),
  destroy,
};
