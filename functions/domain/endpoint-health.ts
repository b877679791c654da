import * as z from 'zod/mini';
import { leaseDuration, type AttemptResult } from './delivery.ts';
import { day, hour, isoTime, minute, second, toIso } from './time.ts';

export const endpointHealth = {
  firstDeliveredAt: z.optional(isoTime),
  failingSince: z.optional(isoTime),
  failedAttempts: z.optional(z.int()),
  lastFailedAt: z.optional(isoTime),
  /** When the first failed delivery was created: a replay from here covers it. */
  missedSince: z.optional(isoTime),
  ownerNotifiedAt: z.optional(isoTime),
  consecutiveNoResponses: z.optional(z.int()),
  circuitOpenUntil: z.optional(isoTime),
  inFlight: z.optional(z.set(z.string())),
  /** When it answered last, within a batch or so. */
  answeredAt: z.optional(isoTime),
} as const;
type EndpointHealth = z.infer<z.ZodMiniObject<typeof endpointHealth>>;

export const serverHealth = [
  'failingSince',
  'failedAttempts',
  'lastFailedAt',
  'ownerNotifiedAt',
  'consecutiveNoResponses',
  'circuitOpenUntil',
] as const satisfies readonly (keyof EndpointHealth)[];

/** Whether a success changes what is known of the endpoint. */
export function isBlemished(health: EndpointHealth): boolean {
  return (
    health.firstDeliveredAt === undefined ||
    [...serverHealth, 'missedSince' as const].some((name) => health[name] !== undefined)
  );
}

const failuresBeforeNotice = 4;
const outageBeforeDisabling = 120 * hour;
const failuresBeforeDisabling = 10;
const noResponsesBeforeOpening = 5;
export const firstPause = 30 * second;
const maximumPause = 5 * minute;
/** A server that hangs ties up five workers, not all of them. */
export const maximumInFlight = 5;

export function gotNoResponse({ error }: AttemptResult): boolean {
  return error === 'timeout' || error === 'network_error';
}

/** One that never worked is its owner's mistake, and no sign that we cannot reach anybody. */
export function beginsToFail({ firstDeliveredAt, failedAttempts }: EndpointHealth): boolean {
  return firstDeliveredAt !== undefined && failedAttempts === 1;
}

/** Once per outage; at once for a blocked address: no retry helps. */
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

export function circuitPause(noResponses: number): number | undefined {
  return noResponses < noResponsesBeforeOpening
    ? undefined
    : Math.min(firstPause * 2 ** (noResponses - noResponsesBeforeOpening), maximumPause);
}

export function slotOf(eventId: string, leasedUntil: number): string {
  return `${toIso(leasedUntil)}#${eventId}`;
}

export function lostSlots({ inFlight }: EndpointHealth, now: number): string[] {
  return [...(inFlight ?? [])].filter((slot) => leasedUntil(slot) <= toIso(now));
}

function leasedUntil(slot: string): string {
  return slot.slice(0, slot.indexOf('#'));
}

const livelyFor = 10 * second;

/** One that answered since then may be sent to by several workers. */
export function livelySince(now: number): string {
  return toIso(now - livelyFor);
}

/** Requests that may start. A server that may hang ties up one worker, which `holds` a slot, not five. */
export function roomOf(health: EndpointHealth, now: number, holds?: string): number {
  const { inFlight = new Set(), answeredAt = '' } = health;
  const used = inFlight.size - lostSlots(health, now).length;
  const isOpen = used === 0 || answeredAt >= livelySince(now) || (holds !== undefined && inFlight.has(holds));
  return isOpen ? Math.max(0, maximumInFlight - used) : 0;
}

/** Longer than most receivers take. */
export const slowAnswer = second / 2;

/** Unless it has just answered others: a slot is for several requests. */
export function hasHung({ inFlight, answeredAt = '' }: EndpointHealth, now: number): boolean {
  const sentBefore = toIso(now - slowAnswer + leaseDuration);
  const isOld = [...(inFlight ?? [])].some((slot) => leasedUntil(slot) <= sentBefore);
  return isOld && answeredAt < toIso(now - slowAnswer);
}

/** Grows with age: a backlog of thousands would poll faster than it drains. */
export function slotWait(age: number, random: number): number {
  return Math.floor(second + random * Math.min(Math.max(age / 2, 4 * second), 14 * minute));
}

/**
 * In milliseconds, before a delivery is put off: most receivers answer sooner, and a ticket costs more than the wait. Not
 * longer from one to the next: newcomers would win every slot. Not shorter: 50 workers that ask would throttle the row.
 */
export const fullPauses = [20, 40, 80, 120, 120, 120, 120, 120, 120, 120, 120] as const;

/** So that several batches get on, and none waits until it is put off. */
export const firstSlots = 2;

/** In milliseconds, before a batch takes more slots: a quick endpoint needs no more. */
export const quickAnswer = 80;

/** In milliseconds. Thousands of checks at once would throttle the row; longer leaves slots idle. */
export const rememberedFull = 100;

/** Jitter grows with age: a backlog must not poll a dead server. */
export function circuitWait(circuitOpenUntil: string, age: number, random: number): number {
  return Date.parse(circuitOpenUntil) + Math.floor(random * Math.min(Math.max(age / 8, 5 * second), hour));
}
