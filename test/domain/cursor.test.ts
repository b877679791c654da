import { describe, expect, it } from 'vitest';
import {
  cursorAfter,
  cursorAfterPractice,
  cursorAtPosition,
  justBefore,
  positionOfCursor,
  practiceIdOfCursor,
  sessionIdOfCursor,
  sessionIdRange,
  type SessionFilter,
} from '../../functions/domain/cursor.ts';
import { firstSessionIdAt } from '../../functions/domain/identifier.ts';

const sessionId = 'ses_01KAG3ZQ8M0000000000000001';
const filter: SessionFilter = {
  practiceId: 'prc_1',
  statuses: ['pending', 'failed'],
  invoiceId: undefined,
  returned: false,
  createdSince: undefined,
  createdBefore: undefined,
};

describe("a cursor of a practice's sessions", () => {
  const cursor = cursorAfter(sessionId, filter);

  it('is read with the filters that it was made with, in any order', () => {
    expect(sessionIdOfCursor(cursor, filter)).toBe(sessionId);
    expect(sessionIdOfCursor(cursor, { ...filter, statuses: ['failed', 'pending'] })).toBe(sessionId);
    const outcomes = ['returned', 'expired'] as const;
    const listed = cursorAfter(sessionId, { ...filter, outcomes });
    expect(sessionIdOfCursor(listed, { ...filter, outcomes: outcomes.toReversed() })).toBe(sessionId);
    expect(sessionIdOfCursor(listed, { ...filter, outcomes: ['expired'] })).toBeUndefined();
    expect(sessionIdOfCursor(listed, { ...filter, outcomes, practiceId: 'prc_2' })).toBeUndefined();
  });

  it.each<Partial<SessionFilter>>([
    { practiceId: 'prc_2' },
    { statuses: ['pending'] },
    { outcomes: ['expired'] },
    { invoiceId: 'INV-1' },
    { returned: true },
    { createdSince: '2026-11-20T10:00:00.000Z' },
    { createdBefore: '2026-11-20T10:00:00.000Z' },
  ])('is refused with %j', (other) => {
    expect(sessionIdOfCursor(cursor, { ...filter, ...other })).toBeUndefined();
  });

  it('is refused if it was changed', () => {
    for (const changed of ['', `${cursor}0`, cursor.slice(0, -1), cursor.replace('1', '2'), cursor.toLowerCase()])
      expect(sessionIdOfCursor(changed, filter)).toBeUndefined();
    expect(sessionIdOfCursor(cursorAfter('ses_1', filter), filter)).toBeUndefined();
  });
});

describe('the session IDs of a list', () => {
  const [since, before] = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z'];
  const [first = '', end = ''] = [since, before].map((time) => firstSessionIdAt(Date.parse(time)));
  const within = firstSessionIdAt(Date.parse(since) + 1);
  const all = { createdSince: undefined, createdBefore: undefined };

  it('are all of them without a filter', () => {
    expect(sessionIdRange(all, undefined)).toEqual({ first: 'ses_', last: justBefore('ses_~') });
  });

  it('begin with the first of its time and end just before the earlier of both ends', () => {
    const of = { createdSince: since, createdBefore: before };
    expect(sessionIdRange(of, undefined)).toEqual({ first, last: justBefore(end) });
    expect(sessionIdRange(of, within)).toEqual({ first, last: justBefore(within) });
    expect(sessionIdRange(of, justBefore('ses_~'))).toEqual({ first, last: justBefore(end) });
    expect(sessionIdRange(all, sessionId)).toEqual({ first: 'ses_', last: justBefore(sessionId) });
  });

  it('are none if the list ends where it begins, or before 1970', () => {
    expect(sessionIdRange({ createdSince: since, createdBefore: since }, undefined)).toBeUndefined();
    expect(sessionIdRange({ createdSince: before, createdBefore: since }, undefined)).toBeUndefined();
    const early = { createdSince: '0001-01-01T00:00:00.000Z', createdBefore: '1970-01-01T00:00:00.000Z' };
    expect(sessionIdRange(early, undefined)).toBeUndefined();
  });

  it('just before one include every smaller ID, and not the one itself', () => {
    expect(justBefore(sessionId)).toBe('ses_01KAG3ZQ8M0000000000000000~');
    expect('ses_01KAG3ZQ8M0000000000000000' < justBefore(sessionId)).toBe(true);
    expect(justBefore(sessionId) < sessionId).toBe(true);
  });
});

describe("a cursor of a platform's practices", () => {
  it('is read by that platform only', () => {
    const cursor = cursorAfterPractice('prc_1', 'plt_1');
    expect(practiceIdOfCursor(cursor, 'plt_1')).toBe('prc_1');
    expect(practiceIdOfCursor(cursor, 'plt_2')).toBeUndefined();
    expect(practiceIdOfCursor(cursor.replace('cur_1', 'cur_2'), 'plt_1')).toBeUndefined();
  });
});

describe('a cursor of a list by time', () => {
  const position = '2026-11-20T15:04:05.123Z#evt_1';
  const cursor = cursorAtPosition(position, ['prc_1'], 'evt_');

  it('is read with the same filters and the same kind of ID', () => {
    expect(positionOfCursor(cursor, ['prc_1'], 'evt_')).toBe(position);
    expect(positionOfCursor(cursor, ['prc_2'], 'evt_')).toBeUndefined();
    expect(positionOfCursor(cursor, ['prc_1'], 'ses_')).toBeUndefined();
    expect(positionOfCursor(cursorAtPosition(position, []), [])).toBe(position);
  });

  it('is refused if it was changed', () => {
    for (const changed of ['', 'cur_', `x${cursor}`, `${cursor}0`, cursor.replace('cur_', 'cur_z')])
      expect(positionOfCursor(changed, ['prc_1'], 'evt_')).toBeUndefined();
  });
});
