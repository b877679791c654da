import type { Kept, Received, Told } from './check.ts';

/** How much of everything the drill has seen. */
export function figuresOf(told: readonly Told[], received: readonly Received[], kept: Kept) {
  const count = (of: (each: Told) => boolean | number) => told.reduce((sum, each) => sum + Number(of(each)), 0);
  const ends = Map.groupBy(kept.sessions, ({ status, refund, ...session }) =>
    [status, session['return'] && 'returned', refund && 'refunded'].filter(Boolean).join(' '),
  );
  return {
    told: {
      sessions: count(({ sessionId }) => sessionId !== undefined),
      authorized: count(({ authorized }) => authorized),
      cancelled: count(({ cancelled }) => cancelled),
      refunds: count(({ refunds }) => refunds.filter(({ answered }) => answered).length),
      ends: count((each) => each.ends.size),
    },
    kept: {
      sessions: kept.sessions.length,
      debits: kept.debits.length,
      refunds: kept.debits.flatMap(({ refunds }) => refunds).length,
      events: kept.events.length,
      ends: Object.fromEntries([...ends].map(([end, those]) => [end, those.length])),
    },
    webhooks: { received: received.length, events: new Set(received.map(({ eventId }) => eventId)).size },
  };
}
