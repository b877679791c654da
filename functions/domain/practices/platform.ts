import * as z from 'zod/mini';
import { randomBase62, type RandomBytes } from '../identifier.ts';
import { isoTime } from '../time.ts';
import { applicationFeeSettings, type Practice } from './practice.ts';

/**
 * A vendor whose software serves many practices. Its keys, endpoints, members and audit log are stored like a practice's,
 * with its ID as their `practiceId`.
 */
export const platform = z.object({
  platformId: z.string(),
  name: z.string(),
  createdAt: isoTime,
  /** Applies to practices of the platform that have no fee of their own. */
  ...applicationFeeSettings.shape,
});
export type Platform = z.infer<typeof platform>;

const prefix = 'plt_';

export function generatePlatformId(randomBytes: RandomBytes): string {
  return `${prefix}${randomBase62(20, randomBytes)}`;
}

/** Whether an owner's ID is a platform's. */
export function isPlatformId(ownerId: string): boolean {
  return ownerId.startsWith(prefix);
}

/** The platform's own events: its endpoints get them if they name them. A practice's endpoints never do. */
export const practiceEventTypes = ['practice.joined', 'practice.left'] as const;
export type PracticeEventType = (typeof practiceEventTypes)[number];

export function isPracticeEventType(type: string): type is PracticeEventType {
  return practiceEventTypes.some((each) => each === type);
}

export type Membership = Pick<Practice, 'platformId' | 'platformSince'>;

/** Whether the platform may act for the practice now, and may see what happened at `time`: nothing from before it joined. */
export function servesPractice(platformId: string, practice: Membership | undefined, time?: string): boolean {
  if (practice?.platformId !== platformId || practice.platformSince === undefined) return false;
  return time === undefined || time >= practice.platformSince;
}

/** The platform that may see what happened at the practice at that time. */
export function platformAt(practice: Membership | undefined, time: string): string | undefined {
  const platformId = practice?.platformId;
  return platformId !== undefined && servesPractice(platformId, practice, time) ? platformId : undefined;
}
