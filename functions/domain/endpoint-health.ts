import * as z from 'zod/mini';
import type { AttemptResult } from './delivery.ts';
import { day, hour, isoTime, minute, second, toIso } from './time.ts';

/** Failures since the last success, and requests in flight. All absent while the endpoint is healthy and idle. */
export const endpointHealth = {
  failingSince: z.optional(isoTime),
  failedAttempts: z.optional(z.int()),
  lastFailedAt: z.optional(isoTime),
  /** When the delivery that failed first was created: a replay from here covers it. */
  missedSince: z.optional(isoTime),
  /** When the owner was notified of the failures. */
  ownerNotifiedAt: z.optional(isoTime),
  /** Consecutive timeouts and network errors. Any HTTP response resets the count. */
  consecutiveNoResponses: z.optional(z.int()),
  circuitOpenUntil: z.optional(isoTime),
  /** Named by `slotOf`. */
  inFlight: z.optional(z.set(z.string())),
} as const;
type EndpointHealth = z.infer<z.ZodMiniObject<typeof endpointHealth>>;

/** The fields about the server itself, as opposed to requests in flight and missed webhooks. */
export const serverHealth = [
  'failingSince',
  'failedAttempts',
  'lastFailedAt',
  'ownerNotifiedAt',
  'consecutiveNoResponses',
  'circuitOpenUntil',
] as const satisfies readonly (keyof EndpointHealth)[];

const failuresBeforeNotice = 4;
const outageBeforeDisabling = 120 * hour;
const failuresBeforeDisabling = 10;
const noResponsesBeforeOpening = 5;
/** How long a circuit stays open at first, in milliseconds. */
export const firstPause = 30 * second;
const maximumPause = 5 * minute;
/** Requests in flight per endpoint: a server that hangs ties up five workers, not all of them. */
export const maximumInFlight = 5;

/** Whether the server did not respond at all. */
export function gotNoResponse({ error }: AttemptResult): boolean {
  return error === 'timeout' || error === 'network_error';
}

/**
 * Whether to notify the owner, once per outage: after four failed attempts of any deliveries since the last success, or
 * after one to an address that is not public, which no retry can fix.
 */
export function isFailing({ ownerNotifiedAt, failedAttempts = 0 }: EndpointHealth, { error }: AttemptResult): boolean {
  return ownerNotifiedAt === undefined && (failedAttempts >= failuresBeforeNotice || error === 'blocked_address');
}

/**
 * Whether to disable an endpoint: no success for 120 hours, at least ten failed attempts, the previous one within a day
 * (after days without traffic, one failure proves little). `previousFailureAt` is `lastFailedAt` before this failure.
 */
export function shouldDisable(
  { failingSince, failedAttempts = 0 }: EndpointHealth,
  previousFailureAt: string | undefined,
  now: number,
): boolean {
  const failsAgain = previousFailureAt !== undefined && previousFailureAt >= toIso(now - day);
  return (
    failsAgain &&
    failingSince !== undefined &&
    toIso(now - outageBeforeDisabling) >= failingSince &&
    failedAttempts >= failuresBeforeDisabling
  );
}

/** How long a circuit stays open after consecutive attempts without a response, in milliseconds; undefined while it is closed. */
export function circuitPause(noResponses: number): number | undefined {
  return noResponses < noResponsesBeforeOpening
    ? undefined
    : Math.min(firstPause * 2 ** (noResponses - noResponsesBeforeOpening), maximumPause);
}

/** Names a request in flight by its event and its deadline: past the deadline, its worker must have died. */
export function slotOf(eventId: string, leasedUntil: number): string {
  return `${toIso(leasedUntil)}#${eventId}`;
}

/** The requests in flight whose workers must have died. */
export function lostSlots({ inFlight }: EndpointHealth, now: number): string[] {
  return [...(inFlight ?? [])].filter((slot) => slot.slice(0, slot.indexOf('#')) <= toIso(now));
}

/**
 * How long a delivery waits for an endpoint with no free slot, in milliseconds: 1 to 5 s at first, longer with age (up
 * to 14 minutes), because a backlog of thousands would poll faster than it drains. `random` is in [0, 1).
 */
export function slotWait(age: number, random: number): number {
  return Math.floor(second + random * Math.min(Math.max(age / 2, 4 * second), 14 * minute));
}

/**
 * How long a process remembers that an endpoint has no free slot, in milliseconds: thousands of deliveries that check
 * at once would throttle its row. Much longer, and a fast receiver's slots sit idle.
 */
export const fullCacheDuration = 100;

/**
 * When a delivery of this age next checks an open circuit, in milliseconds since 1970: after its pause, plus jitter
 * that grows with age (5 s to 1 h), because a backlog must not poll a server that is down for days every few minutes.
 */
export function circuitWait(circuitOpenUntil: string, age: number, random: number): number {
  return Date.parse(circuitOpenUntil) + Math.floor(random * Math.min(Math.max(age / 8, 5 * second), hour));
}
