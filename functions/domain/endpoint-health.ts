import * as z from 'zod/mini';
import type { AttemptResult } from './delivery.ts';
import { day, hour, isoTime, minute, second, toIso } from './time.ts';

/** How an endpoint's server has been doing since its last success, and what it is being asked right now; nothing of it is there while all is well and quiet. */
export const endpointHealth = {
  failingSince: z.optional(isoTime),
  failedAttempts: z.optional(z.int()),
  lastFailedAt: z.optional(isoTime),
  /** When the delivery was made whose attempt failed first: a replay from here on covers it. */
  missedSince: z.optional(isoTime),
  /** When its owner was told that it fails. */
  failingToldAt: z.optional(isoTime),
  /** Time-outs and network faults in a row; an answer of any kind ends the row. */
  circuitFaults: z.optional(z.int()),
  /** Until when no POST is made. */
  circuitOpenUntil: z.optional(isoTime),
  /** The requests under way, as `slotOf` names them. */
  inFlight: z.optional(z.set(z.string())),
} as const;
export type EndpointHealth = z.infer<z.ZodMiniObject<typeof endpointHealth>>;

/** What is remembered of an endpoint's server; beside it there is what is under way, and since when its owner has missed webhooks. */
export const serverHealth = [
  'failingSince',
  'failedAttempts',
  'lastFailedAt',
  'failingToldAt',
  'circuitFaults',
  'circuitOpenUntil',
] as const satisfies readonly (keyof EndpointHealth)[];

const toldAtFailure = 4;
const disabledAfter = 120 * hour;
const leastFailedAttempts = 10;
const faultsThatOpen = 5;
/** How long a circuit stays open at first, in milliseconds. */
export const firstPause = 30 * second;
const longestPause = 5 * minute;
/** How many requests one endpoint may have under way, so that a server that hangs holds up five workers and not all of them. */
export const mostInFlight = 5;

/** Whether the server did not answer at all. */
export function isFault({ error }: AttemptResult): boolean {
  return error === 'timeout' || error === 'network_error';
}

/**
 * Whether the owner is to be told, once: four attempts have failed since the last success, of whatever deliveries and for whatever reason; or one, to an
 * address that is not public, which no waiting mends.
 */
export function isFailing({ failingToldAt, failedAttempts = 0 }: EndpointHealth, { error }: AttemptResult): boolean {
  return failingToldAt === undefined && (failedAttempts >= toldAtFailure || error === 'blocked_address');
}

/**
 * Whether an endpoint is to be turned off: no success for 120 hours, ten failed attempts or more, and the one before this within a day. After a silence of days one
 * fault says little: the retry seconds later tells. `previousFailureAt` is `lastFailedAt` as it was before this failure.
 */
export function isHopeless(
  { failingSince, failedAttempts = 0 }: EndpointHealth,
  previousFailureAt: string | undefined,
  now: number,
): boolean {
  const failsAgain = previousFailureAt !== undefined && previousFailureAt >= toIso(now - day);
  return (
    failsAgain &&
    failingSince !== undefined &&
    toIso(now - disabledAfter) >= failingSince &&
    failedAttempts >= leastFailedAttempts
  );
}

/** How long a circuit stays open after so many faults in a row, in milliseconds; undefined while it is closed. */
export function circuitPause(faults: number): number | undefined {
  return faults < faultsThatOpen ? undefined : Math.min(firstPause * 2 ** (faults - faultsThatOpen), longestPause);
}

/** The name of a request under way: when it is to be given up for lost, should its worker die, and the event that it carries. */
export function slotOf(eventId: string, leasedUntil: number): string {
  return `${toIso(leasedUntil)}#${eventId}`;
}

/** The requests under way whose workers must have died. */
export function lostSlots({ inFlight }: EndpointHealth, now: number): string[] {
  return [...(inFlight ?? [])].filter((slot) => slot.slice(0, slot.indexOf('#')) <= toIso(now));
}

/**
 * How long a delivery waits for an endpoint that has its most requests under way, in milliseconds: 1 to 5 s at first, and the longer (to a quarter
 * of an hour) the older it is, so that a queue of thousands is not asked about more often than it moves. `random` is in [0, 1).
 */
export function slotWait(age: number, random: number): number {
  return Math.floor(second + random * Math.min(Math.max(age / 2, 4 * second), 14 * minute));
}

/**
 * How long one process takes a full endpoint to be full, in milliseconds: what comes meanwhile does not ask, as thousands that ask at once are more than its
 * row can take. Much longer, and the slots of a quick receiver stay empty.
 */
export const fullFor = 100;

/**
 * Until when a delivery of this age waits for an open circuit: its pause, and a part of the time that it has waited already (at least 5 s, at most an
 * hour), so that a server that stays dead for days is not asked after by every one of its deliveries every few minutes.
 */
export function circuitWait(circuitOpenUntil: string, age: number, random: number): number {
  return Date.parse(circuitOpenUntil) + Math.floor(random * Math.min(Math.max(age / 8, 5 * second), hour));
}
