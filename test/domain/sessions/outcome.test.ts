import { expect, it } from 'vitest';
import { hasOutcome, outcomes, statusesOf } from '../../../functions/domain/sessions/outcome.ts';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { aSession } from '../../support/examples.ts';

const at = '2026-11-20T10:00:00.000Z';
const opened = { openedAt: at };
const expired = { status: 'cancelled', cancellation: { reason: 'expired' } } as const;
const succeeded = { status: 'succeeded', ...opened } as const;
const refund = { amountCents: 100, refundedAt: at };
const debitReturn = { code: 'insufficient_funds', returnedAt: at } as const;

it.each<[string, Partial<Session>, readonly string[]]>([
  ['is pending', {}, ['pending']],
  ['was opened', opened, ['pending', 'opened']],
  ['is processing', { status: 'processing', ...opened }, ['processing']],
  ['was paid', succeeded, ['succeeded']],
  ['failed', { status: 'failed', ...opened }, ['failed']],
  [
    'was cancelled',
    { status: 'cancelled', cancellation: { reason: 'requested_by_practice' }, ...opened },
    ['cancelled'],
  ],
  ['expired unopened', expired, ['expired']],
  ['expired after it was opened', { ...expired, ...opened }, ['opened', 'expired']],
  ['was returned', { ...succeeded, return: debitReturn }, ['returned']],
  ['was refunded', { ...succeeded, refund }, ['refunded']],
  ['was refunded, and returned', { ...succeeded, refund, return: debitReturn }, ['returned']],
  [
    'has a refund that failed',
    { ...succeeded, refund: { ...refund, amountCents: 0, failedCents: 100 } },
    ['succeeded'],
  ],
])('a session that %s has its outcome', (_, differences, expected) => {
  const session = aSession(differences);
  const found = outcomes.filter((outcome) => hasOutcome(session, [outcome]));
  expect(found).toEqual(expected);
  for (const outcome of found)
    if (outcome !== 'returned' && outcome !== 'refunded') expect(statusesOf[outcome]).toContain(session.status);
});
