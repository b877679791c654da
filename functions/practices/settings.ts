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

/** An absent setting keeps its value. An open session keeps its lifetimes. */
export async function updateSettings(
  { database, putFile }: { readonly database: Database<'practices'>; readonly putFile: PutFile },
  { practiceId, logo: picture, ...given }: SettingsChange,
) {
  const settings = parseInput(practiceSettings, given);
  requireChange({ ...settings, picture });
  const logo = picture && parseLogo(picture);
  // Before the logo is stored.
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

/** For the operator only: these are everybody's practices. */
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
