import * as z from 'zod/mini';
import type { AttemptOutcome } from './delivery.ts';
import { hour, isoTime, minute, second, toIso } from './time.ts';

/** How an endpoint's server has been doing since its last success; nothing of it is there while all is well. */
export const endpointHealth = {
  failingSince: z.optional(isoTime),
  failedAttempts: z.optional(z.int()),
  /** When its owner was told that it fails. */
  failingToldAt: z.optional(isoTime),
  /** Time-outs and network faults in a row; an answer of any kind ends the row. */
  circuitFaults: z.optional(z.int()),
  /** Until when no POST is made. */
  circuitOpenUntil: z.optional(isoTime),
} as const;
export type EndpointHealth = z.infer<z.ZodMiniObject<typeof endpointHealth>>;

const toldAtFailure = 4;
const disabledAfter = 120 * hour;
const leastFailedAttempts = 10;
const faultsThatOpen = 5;
/** How long a circuit stays open at first, in milliseconds. */
export const firstPause = 30 * second;
const longestPause = 5 * minute;

/** Whether the server did not answer at all. */
export function isFault({ error }: AttemptOutcome): boolean {
  return error === 'timeout' || error === 'network_error';
}

/** Whether the owner is to be told, once: four attempts have failed since the last success, of whatever deliveries and for whatever reason. */
export function isFailing({ failingToldAt, failedAttempts = 0 }: EndpointHealth): boolean {
  return failingToldAt === undefined && failedAttempts >= toldAtFailure;
}

/** Whether an endpoint is to be turned off: no success for 120 hours, and ten failed attempts or more. */
export function isHopeless({ failingSince, failedAttempts = 0 }: EndpointHealth, now: number): boolean {
  return failingSince !== undefined && toIso(now - disabledAfter) >= failingSince && failedAttempts >= leastFailedAttempts;
}

/** How long a circuit stays open after so many faults in a row, in milliseconds; undefined while it is closed. */
export function circuitPause(faults: number): number | undefined {
  return faults < faultsThatOpen ? undefined : Math.min(firstPause * 2 ** (faults - faultsThatOpen), longestPause);
}

/**
 * What a ticket may do: POST, POST as the one probe of an open circuit whose pause is over, or wait until a time in milliseconds.
 * Those that wait are spread over some seconds by `random` in [0, 1).
 */
export function circuitGate({ circuitOpenUntil }: EndpointHealth, now: number, random: number): { pass: 'free' | 'probe' } | { pass: 'wait'; until: number } {
  if (circuitOpenUntil === undefined) return { pass: 'free' };
  if (circuitOpenUntil <= toIso(now)) return { pass: 'probe' };
  return { pass: 'wait', until: Date.parse(circuitOpenUntil) + Math.floor(random * 5 * second) };
}
