import type { Home } from '../../../functions/contract/team/dashboard-home.ts';
import { day } from '../../../functions/domain/time.ts';

/** A Friday, 10:00 in New York. Pages on the double have this time. */
export const now = Date.parse('2026-11-20T15:00:00.000Z');

export function before(duration: number): string {
  return new Date(now - duration).toISOString();
}

const nothing = { count: 0, cents: 0 };
const lastDays = Array.from({ length: 30 }, (_, index) => ({
  day: before((29 - index) * day).slice(0, 10),
  paid: nothing,
  onItsWay: nothing,
}));

export const home: Home = {
  checklist: {
    apiKey: true,
    webhookEndpoint: true,
    webhookDelivered: true,
    contact: true,
    branding: true,
    session: true,
    paidSession: true,
  },
  timeZone: 'America/New_York',
  days: lastDays.map((each, index) => {
    const count = index % 7 > 4 ? 0 : 1 + ((index * 7) % 5);
    return {
      ...each,
      paid: index < 27 ? { count, cents: count * 14_250 + index * 100 } : nothing,
      onItsWay: index >= 26 ? { count: 2, cents: 31_900 } : nothing,
    };
  }),
  complete: true,
};

export const withoutPayments: Home = {
  checklist: {
    apiKey: false,
    webhookEndpoint: false,
    webhookDelivered: false,
    contact: false,
    branding: false,
    session: false,
    paidSession: false,
  },
  timeZone: 'America/New_York',
  days: lastDays,
  complete: true,
};
