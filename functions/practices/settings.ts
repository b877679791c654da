import * as z from 'zod/mini';
import { operatorSettings } from '../contract/practices/practices.ts';
import type { Audited } from '../domain/team/audit-entry.ts';
import type { Mode } from '../domain/mode.ts';
import { feeTermsOf, hasFeeTerms } from '../domain/payments/debit.ts';
import type { Platform } from '../domain/practices/platform.ts';
import { shownPractice, type Practice } from '../domain/practices/practice.ts';
import type { PutFile } from '../messages/practices/page-files.ts';
import type { Database, ModeTools, ReadingTools, WritingTools } from '../store/database.ts';
import { getExistingPlatform } from '../store/practices/platforms.ts';
import { readPractices, updatePractice } from '../store/practices/practices.ts';
import {
  changeDetails,
  contactRequired,
  parseInput,
  requireChange,
  type Unchecked,
  practiceNotFound,
  requirePractice,
  practiceEntry,
} from './requirements.ts';
import { missingForLinks } from './go-live.ts';
import { parseLogo, storeLogo } from './logo.ts';

interface SettingsTools extends WritingTools {
  readonly mode: Mode;
  readonly putFile: PutFile;
}

interface SettingsChange extends Unchecked<typeof operatorSettings>, Audited {
  readonly practiceId: string;
  /** A picture file; null removes the logo. */
  readonly logo?: Uint8Array | null | undefined;
}

/** Absent settings keep their values, and open sessions keep their lifetimes. Only the operator may pass `rateLimit` and the application fee. */
export async function updateSettings(
  { database, mode, randomBytes, putFile }: SettingsTools,
  { practiceId, logo: picture, author, ...given }: SettingsChange,
  now: number,
) {
  const settings = parseInput(operatorSettings, given);
  requireChange({ ...settings, logoUrl: picture });
  const requires = mode === 'live' ? remainingContact(settings) : undefined;
  const logo = picture && parseLogo(picture);
  // Checked before the logo is stored.
  if (logo) await requirePractice(database, practiceId);
  const set = { ...settings, logoUrl: logo && (await storeLogo(putFile, practiceId, logo)) };
  const entry = practiceEntry({ randomBytes }, { practiceId, author }, 'practice.updated', now, changeDetails(set));
  const { written, row } = await updatePractice(database, practiceId, { set, requires }, entry);
  if (!row) throw practiceNotFound();
  if (!written) throw contactRequired();
  return publicSettings(row);
}

/** Which contact the row must still have, so that a live practice keeps one. Throws a Problem if none would be left. */
function remainingContact({ supportPhone, supportEmail }: z.infer<typeof operatorSettings>) {
  if (supportPhone === null && supportEmail === null) throw contactRequired();
  if (supportPhone === null && supportEmail === undefined) return 'supportEmail';
  return supportEmail === null && supportPhone === undefined ? 'supportPhone' : undefined;
}

export async function getSettings({ database }: ReadingTools, { practiceId }: { readonly practiceId: string }) {
  return shownSettings(database, await requirePractice(database, practiceId));
}

/** The settings for the dashboard, which also says what to do before the first live payment link. */
export async function getSettingsAndNeeds(tools: ModeTools, { practiceId }: { readonly practiceId: string }) {
  const practice = await requirePractice(tools.database, practiceId);
  return {
    ...(await shownSettings(tools.database, practice)),
    missingForLinks: await missingForLinks(tools, practice),
  };
}

/** Adds the platform's name, and the fee that applies to new sessions. */
async function shownSettings(database: Database, practice: Practice) {
  const { platformId } = practice;
  const platform = platformId === undefined ? undefined : await getExistingPlatform(database, platformId);
  return { ...publicSettings(practice), platformName: platform?.name, appliedFee: appliedFee(practice, platform) };
}

function appliedFee(practice: Practice, platform: Platform | undefined) {
  if (hasFeeTerms(practice)) return { ...feeTermsOf(practice), setFor: 'practice' };
  return platform && hasFeeTerms(platform) ? { ...feeTermsOf(platform), setFor: 'platform' } : undefined;
}

/** For the operator only: lists everyone's practices. For an invalid row, only the ID is known. */
export async function listPractices({ database }: ReadingTools) {
  const { practices, unreadableIds } = await readPractices(database);
  return { practices: practices.map(publicSettings), unreadableIds };
}

const shownToOperator = z.extend(shownPractice, { rateLimit: z.optional(z.int()) });

/** Leaves out the test bank's password. */
function publicSettings(practice: Practice) {
  return z.parse(shownToOperator, practice);
}
