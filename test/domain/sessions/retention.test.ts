import { describe, expect, it, test } from 'vitest';
import { addMonths, endedAt, endedStatuses, evidenceKeptUntil } from '../../../functions/domain/sessions/retention.ts';
import { sessionStatuses, transitions } from '../../../functions/domain/sessions/transitions.ts';
import { toIso } from '../../../functions/domain/time.ts';
import { aSession } from '../../support/examples.ts';

const moved = (time: string, months: number) => toIso(addMonths(Date.parse(time), months));

describe('months', () => {
  it.each([
    ['2028-11-20T10:00:00.000Z', -24, '2026-11-20T10:00:00.000Z'],
    ['2027-03-31T10:00:00.000Z', -1, '2027-02-28T10:00:00.000Z'],
    ['2028-03-31T10:00:00.000Z', -1, '2028-02-29T10:00:00.000Z'],
    ['2027-01-15T10:00:00.000Z', -1, '2026-12-15T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 84, '2035-02-28T10:00:00.000Z'],
  ])('%s and %d months are %s', (time, months, expected) => {
    expect(moved(time, months)).toBe(expected);
  });
});

test('a status has ended if no transition leads from it to another', () => {
  const leaves = Object.values(transitions).flatMap(({ from, to }) => from.filter((status) => status !== to));
  expect(endedStatuses).toEqual(sessionStatuses.filter((status) => !leaves.includes(status as never)));
});

test('a session ended when it was settled, failed or was cancelled', () => {
  const at = '2026-11-20T10:00:00.000Z';
  for (const fact of ['settledAt', 'failedAt', 'cancelledAt'] as const)
    expect(endedAt(aSession({ processingAt: '2026-11-19T10:00:00.000Z', [fact]: at }))).toBe(at);
  expect(endedAt(aSession({ processingAt: at }))).toBeUndefined();
});

test('evidence is kept for seven years from the authorization, and there is none without one', () => {
  expect(evidenceKeptUntil(aSession({ processingAt: '2026-11-20T10:00:00.000Z' }))).toBe('2033-11-20T10:00:00.000Z');
  expect(evidenceKeptUntil(aSession())).toBeUndefined();
});
