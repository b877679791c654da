import * as z from 'zod/mini';
import { operatorSettings } from '../contract/practices/practices.ts';
import type { Audited } from '../domain/team/audit-entry.ts';
import type { Mode } from '../domain/mode.ts';
import { shownPractice, type Practice } from '../domain/practices/practice.ts';
import type { PutFile } from '../messages/practices/page-files.ts';
import type { ModeTools, ReadingTools, WritingTools } from '../store/database.ts';
import { getExistingPlatform } from '../store/practices/platforms.ts';
import { readPractices, updatePractice } from '../store/practices/practices.ts';
import {
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

/** An absent setting keeps its value, and an open session its lifetimes. Only the operator may pass `rateLimit` and the application fee. */
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
  const changes = Object.entries(set);
  const removed = changes.flatMap(([name, value]) => (value === null ? [name] : []));
  const details = {
    ...Object.fromEntries(changes.map(([name, value]) => [name, value?.toString()])),
    removed: removed.join(' ') || undefined,
  };
  const entry = practiceEntry({ randomBytes }, { practiceId, author }, 'practice.updated', now, details);
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
  return publicSettings(await requirePractice(database, practiceId));
}

/** The same for the dashboard, which says what to do before the first live payment link. */
export async function getSettingsAndNeeds(tools: ModeTools, { practiceId }: { readonly practiceId: string }) {
  const practice = await requirePractice(tools.database, practiceId);
  const { platformId } = practice;
  const platform = platformId === undefined ? undefined : await getExistingPlatform(tools.database, platformId);
  return {
    ...publicSettings(practice),
    platformName: platform?.name,
    missingForLinks: await missingForLinks(tools, practice),
  };
}

/** For the operator only: lists the practices of everyone. Of those with an invalid row, only the ID is known. */
export async function listPractices({ database }: ReadingTools) {
  const { practices, unreadableIds } = await readPractices(database);
  return { practices: practices.map(publicSettings), unreadableIds };
}

const shownToOperator = z.extend(shownPractice, { rateLimit: z.optional(z.int()) });

/** Leaves out the test bank's password. */
function publicSettings(practice: Practice) {
  return z.parse(shownToOperator, practice);
}
