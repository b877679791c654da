import * as z from 'zod/mini';
import { attemptOutcome, attemptTimeout, isUnreadable, type AttemptResult } from './delivery.ts';
import { day, hour, isoTime, minute, second, toIso } from '../time.ts';

export const endpointHealth = {
  firstDeliveredAt: z.optional(isoTime),
  failingSince: z.optional(isoTime),
  failedAttempts: z.optional(z.int()),
  lastFailedAt: z.optional(isoTime),
  /** How the last failed attempt ended. */
  lastFailure: z.optional(attemptOutcome),
  /** When the first failed delivery was created: a replay from here covers it. */
  missedSince: z.optional(isoTime),
  ownerNotifiedAt: z.optional(isoTime),
  consecutiveNoResponses: z.optional(z.int()),
  circuitOpenUntil: z.optional(isoTime),
  inFlight: z.optional(z.set(z.string())),
  /** Roughly when the endpoint last answered: batches write it, not every attempt. */
  answeredAt: z.optional(isoTime),
} as const;
type EndpointHealth = z.infer<z.ZodMiniObject<typeof endpointHealth>>;

export const serverHealth = [
  'failingSince',
  'failedAttempts',
  'lastFailedAt',
  'lastFailure',
  'ownerNotifiedAt',
  'consecutiveNoResponses',
  'circuitOpenUntil',
] as const satisfies readonly (keyof EndpointHealth)[];

/** Whether a success has something to clear or to record in the endpoint's health. */
export function successChangesHealth(health: EndpointHealth): boolean {
  return (
    health.firstDeliveredAt === undefined ||
    [...serverHealth, 'missedSince' as const].some((name) => health[name] !== undefined)
  );
}

const failuresBeforeNotice = 4;
const outageBeforeDisabling = 120 * hour;
const failuresBeforeDisabling = 10;
export const noResponsesBeforeOpening = 5;
const firstPause = 30 * second;
const maximumPause = 5 * minute;
/** A server that hangs ties up five workers, not all of them. */
export const maximumInFlight = 5;

/** An answer that cannot be read still counts as an answer: the server is up. */
export function gotNoResponse(result: AttemptResult): boolean {
  const { statusCode, error } = result;
  return statusCode === undefined && error !== 'blocked_address' && !isUnreadable(result);
}

/** An endpoint that never worked is its owner's mistake, not a sign of an outage on our side. */
export function beginsToFail({ firstDeliveredAt, failedAttempts }: EndpointHealth): boolean {
  return firstDeliveredAt !== undefined && failedAttempts === 1;
}

/** True once per outage. A blocked address counts at once, because no retry helps. */
export function isFailing({ ownerNotifiedAt, failedAttempts = 0 }: EndpointHealth, { error }: AttemptResult): boolean {
  return ownerNotifiedAt === undefined && (failedAttempts >= failuresBeforeNotice || error === 'blocked_address');
}

/** After days without traffic, one failure proves little. */
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

export function circuitPause(noResponses: number): number {
  return Math.min(firstPause * 2 ** (noResponses - noResponsesBeforeOpening), maximumPause);
}

export function slotOf(eventId: string, now: number): string {
  return `${toIso(now + slotDuration)}#${eventId}`;
}

export function lostSlots({ inFlight }: EndpointHealth, now: number): string[] {
  return [...(inFlight ?? [])].filter((slot) => leasedUntil(slot) <= toIso(now));
}

function leasedUntil(slot: string): string {
  return slot.slice(0, slot.indexOf('#'));
}

const respondingFor = 10 * second;

/** Only one worker sends to an endpoint that has not answered since this time. */
export function respondingSince(now: number): string {
  return toIso(now - respondingFor);
}

/** How long a batch waits before it tries again to get a slot. A shorter pause would throttle the row. */
export const slotPause = second / 10;
/** How many times it tries before it postpones its deliveries: most receivers answer sooner, and a ticket costs more than the wait. */
export const maximumAsks = 20;
/** How long a batch starts requests. Limits the age of the settings that it sends with. */
export const batchTime = 5 * second;
/** The longest that a slot can be in use, including the writes around the requests. A slot held longer is lost. */
export const slotDuration = batchTime + attemptTimeout + 5 * second;

/** Longer than most receivers take. */
const slowAnswer = second / 2;

/** Whether a slot has been held for long without any answer. A slot serves several requests, so its age alone proves nothing. */
export function hasHung({ inFlight, answeredAt = '' }: EndpointHealth, now: number): boolean {
  const sentBefore = toIso(now - slowAnswer + slotDuration);
  const isOld = [...(inFlight ?? [])].some((slot) => leasedUntil(slot) <= sentBefore);
  return isOld && answeredAt < toIso(now - slowAnswer);
}

/** Grows with the delivery's age: otherwise a backlog of thousands would poll faster than it drains. */
export function slotWait(age: number, random: number): number {
  return Math.floor(second + random * Math.min(Math.max(age / 2, 4 * second), 14 * minute));
}

/** How long after the circuit's pause a delivery is tried. Grows with its age: a backlog must not poll a dead server. */
export function circuitJitter(age: number, random: number): number {
  return Math.floor(random * Math.min(Math.max(age / 8, 5 * second), hour));
}
