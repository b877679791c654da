import { practiceSettings } from '../contract/practices.ts';
import { pick } from '../domain/pick.ts';
import type { Practice } from '../domain/practice.ts';
import type { Database } from '../store/database.ts';
import { readPractices, updatePractice } from '../store/practices.ts';
import { parseLogo, storeLogo, type PutFile } from './logo.ts';
import { parseInput, type Unchecked } from './parse-input.ts';
import { requireChange } from './require-change.ts';
import { practiceNotFound, requirePractice } from './require-practice.ts';

interface SettingsChange extends Unchecked<typeof practiceSettings> {
  readonly practiceId: string;
  /** A picture file; null removes the logo. */
  readonly logo?: Uint8Array | null | undefined;
}

/**
 * Changes some settings of a practice. A session that is already open keeps its lifetimes.
 * Throws a Problem for an invalid setting or logo, or if nothing is given.
 */
export async function updateSettings(
  { database, putFile }: { readonly database: Database<'practices'>; readonly putFile: PutFile },
  { practiceId, logo: picture, ...given }: SettingsChange,
) {
  const settings = parseInput(practiceSettings, given);
  requireChange({ ...settings, picture });
  const logo = picture && parseLogo(picture);
  // Nothing is stored for a practice that does not exist.
  if (logo) await requirePractice(database, practiceId);
  const logoUrl = logo ? await storeLogo(putFile, practiceId, logo) : undefined;
  const updated = await updatePractice(
    database,
    practiceId,
    { ...settings, logoUrl },
    picture === null ? ['logoUrl'] : [],
  );
  if (!updated) throw practiceNotFound();
  return publicSettings(updated);
}

export async function getSettings(
  { database }: { readonly database: Database<'practices'> },
  { practiceId }: { readonly practiceId: string },
) {
  return publicSettings(await requirePractice(database, practiceId));
}

/** Every practice of the stack, for its operator only. */
export async function listPractices({ database }: { readonly database: Database<'practices'> }) {
  return { practices: (await readPractices(database)).map(publicSettings) };
}

/** Everything but the test bank's password. */
function publicSettings(practice: Practice) {
  return pick(practice, [
    'practiceId',
    'name',
    'createdAt',
    'primaryColor',
    'logoUrl',
    'supportPhone',
    'supportEmail',
    'linkLifetimeDays',
    'sessionLifetimeSeconds',
    'invoiceGuard',
  ]);
}
