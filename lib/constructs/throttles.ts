import type { Route } from '../../functions/contract/route.ts';

export interface Throttle {
  /** Requests per second. */
  readonly rate: number;
  readonly burst: number;
}

/** Limits per route. All routes together stay below an account's 10,000 requests per second. */
export const throttles = {
  /** Every waiting patient's page polls this route. */
  patientView: { rate: 2000, burst: 2000 },
  patientActions: { rate: 200, burst: 400 },
  /** Enough for five practices at their limit of 100 per second. Each may use its quota of 1,000 per ten seconds at once. */
  practiceSessions: { rate: 500, burst: 4000 },
  practiceEndpoints: { rate: 100, burst: 400 },
  /** For accounting software, which asks once a day. */
  practicePayouts: { rate: 10, burst: 100 },
  dashboard: { rate: 40, burst: 80 },
  /** After an outage of ours, the processor sends its backlog. */
  processor: { rate: 500, burst: 1000 },
  /** The OpenAPI document and unknown paths. */
  other: { rate: 50, burst: 100 },
} as const satisfies Record<string, Throttle>;

export function throttleOf({ method, path }: Pick<Route, 'method' | 'path'>): Throttle {
  const [, , area] = path.split('/');
  switch (area) {
    case 'patient':
      return method === 'GET' ? throttles.patientView : throttles.patientActions;
    case 'practice':
      if (path.startsWith('/api/practice/payouts')) return throttles.practicePayouts;
      return path.startsWith('/api/practice/webhook-endpoints')
        ? throttles.practiceEndpoints
        : throttles.practiceSessions;
    case 'dashboard':
      return throttles.dashboard;
    case 'processor':
      return throttles.processor;
    default:
      return throttles.other;
  }
}
