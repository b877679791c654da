import { expect, it } from 'vitest';
import { dueReminder } from '../../../functions/domain/practices/deposit-needs.ts';
import { isPlatformId, platformAt, servesPractice } from '../../../functions/domain/practices/platform.ts';
import { day } from '../../../functions/domain/time.ts';

const since = '2026-11-20T10:00:00.000Z';
const before = '2026-11-20T09:59:59.999Z';
const practice = { platformId: 'plt_1', platformSince: since };

it('a platform serves the practices that joined it, and sees what happened there since', () => {
  expect(servesPractice('plt_1', practice)).toBe(true);
  expect(servesPractice('plt_1', practice, since)).toBe(true);
  expect(servesPractice('plt_1', practice, before)).toBe(false);
  expect(platformAt(practice, since)).toBe('plt_1');
  expect(platformAt(practice, before)).toBeUndefined();
});

it.each([
  ['another platform', practice],
  ['no platform', {}],
  ['no platform any more', { platformId: undefined, platformSince: undefined }],
  ['a platform since an unknown time', { platformId: 'plt_2' }],
  ['unknown', undefined],
])('a platform does not serve a practice whose platform is %s', (_, other) => {
  expect(servesPractice('plt_2', other)).toBe(false);
  expect(platformAt(other, before)).toBeUndefined();
});

it("an owner's ID tells whether it is a platform", () => {
  expect(['plt_1', 'prc_1', 'prc_plt_'].map(isPlatformId)).toEqual([true, false, false]);
});

it('reminders of what the processor needs are due 30 days, 7 days and 1 day before the deadline', () => {
  const deadline = Date.parse(since);
  const dueAt = (days: number, milliseconds = 0) => dueReminder(since, deadline - days * day + milliseconds);
  expect(dueAt(30, -1)).toBeUndefined();
  expect([dueAt(30), dueAt(7, -1), dueAt(7), dueAt(1, -1), dueAt(1), dueAt(-1)]).toEqual([30, 30, 7, 7, 1, 1]);
});
