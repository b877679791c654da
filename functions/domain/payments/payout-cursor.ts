import { fingerprint } from '../cursor.ts';
import { toIso } from '../time.ts';
import { bookingKey } from './booking.ts';

interface PayoutFilter {
  readonly practiceId: string;
  readonly since: string;
}

export function payoutCursorAfter(payoutKey: string, { practiceId, since }: PayoutFilter): string {
  const [createdAt = '', payoutId = ''] = payoutKey.split('#');
  return `cur_${Date.parse(createdAt).toString(36)}_${payoutId}${fingerprint([practiceId, since, payoutKey])}`;
}

export function keyOfPayoutCursor(cursor: string, filter: PayoutFilter): string | undefined {
  const [, time, payoutId] = /^cur_([0-9a-z]{1,9})_(\w+)[\w-]{16}$/.exec(cursor) ?? [];
  if (time === undefined || payoutId === undefined) return undefined;
  const payoutKey = bookingKey(toIso(parseInt(time, 36)), payoutId);
  return cursor === payoutCursorAfter(payoutKey, filter) ? payoutKey : undefined;
}
