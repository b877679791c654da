import { Problem } from '../contract/problems.ts';
import type { PracticeSettings } from '../contract/practices.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { defaultPrimaryColor, generatePracticeId, type Practice } from '../domain/practice.ts';
import { defaultLinkLifetimeDays, defaultSessionLifetimeSeconds } from '../domain/session.ts';
import { toIso } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { insertPractice, readPractices, updatePractice } from '../store/practices.ts';
import { makeKey } from './keys.ts';
import { parseLogo, storeLogo, type PutFile } from './logo.ts';
import { practiceNotFound, requirePractice } from './require-practice.ts';
import { generateTestBankPassword, testBankCredentials } from './test-bank.ts';
import { makeEndpoint, requireAllowedUrl } from './webhook-endpoints.ts';

interface CreateTools {
  readonly database: Database<'practices' | 'apiKeys' | 'webhookEndpoints'>;
  readonly mode: Mode;
  readonly randomBytes: RandomBytes;
  readonly allowLoopbackWebhooks: boolean;
  readonly putFile: PutFile;
}

interface NewPractice extends PracticeSettings {
  readonly name: string;
  readonly webhookUrl?: string | undefined;
  /** A picture file. */
  readonly logo?: Uint8Array | undefined;
}

/**
 * Creates a practice with its first API key and, if there is a URL, a webhook endpoint: all or nothing.
 * This is the only time that the key can be seen. Throws a problem, before anything is written, for a URL or logo
 * that is not accepted and for a live practice without a contact.
 */
export async function createPractice(tools: CreateTools, input: NewPractice, now: number) {
  const { database, mode, randomBytes, putFile } = tools;
  const { name, webhookUrl: url, supportPhone, supportEmail } = input;
  if (url !== undefined) requireAllowedUrl(tools, url);
  if (mode === 'live' && supportPhone === undefined && supportEmail === undefined)
    throw new Problem(
      'contact_required',
      'Patients must be able to revoke an authorization: give a support phone number or a support email address.',
    );
  const logo = input.logo && parseLogo(input.logo);

  const practiceId = generatePracticeId(randomBytes);
  const practice: Practice = {
    practiceId,
    name,
    createdAt: toIso(now),
    primaryColor: input.primaryColor ?? defaultPrimaryColor,
    linkLifetimeDays: input.linkLifetimeDays ?? defaultLinkLifetimeDays,
    sessionLifetimeSeconds: input.sessionLifetimeSeconds ?? defaultSessionLifetimeSeconds,
    invoiceGuard: input.invoiceGuard ?? true,
    supportPhone,
    supportEmail,
    logoUrl: logo && (await storeLogo(putFile, practiceId, logo)),
    testBankPassword: generateTestBankPassword(randomBytes),
  };
  const { apiKey, row: key } = makeKey(tools, { practiceId, name: 'First key' }, now);
  const endpoint = url === undefined ? undefined : makeEndpoint(tools, { practiceId, url }, now);
  await insertPractice(database, practice, key, endpoint);
  return {
    practiceId,
    apiKey,
    ...(endpoint && {
      webhookUrl: endpoint.url,
      signingSecret: endpoint.signingSecret,
      endpointId: endpoint.endpointId,
    }),
    ...(mode === 'sandbox' && { testBankCredentials: testBankCredentials(practice) }),
  };
}

interface SettingsChange extends PracticeSettings {
  readonly practiceId: string;
  /** A picture file; null removes the logo. */
  readonly logo?: Uint8Array | null | undefined;
}

/** Changes the settings that are given. A session that is already open keeps its lifetimes. */
export async function updateSettings(
  { database, putFile }: { readonly database: Database<'practices'>; readonly putFile: PutFile },
  { practiceId, logo: picture, ...settings }: SettingsChange,
) {
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
function publicSettings({
  practiceId,
  name,
  createdAt,
  primaryColor,
  logoUrl,
  supportPhone,
  supportEmail,
  linkLifetimeDays,
  sessionLifetimeSeconds,
  invoiceGuard,
}: Practice) {
  return {
    practiceId,
    name,
    createdAt,
    primaryColor,
    logoUrl,
    supportPhone,
    supportEmail,
    linkLifetimeDays,
    sessionLifetimeSeconds,
    invoiceGuard,
  };
}
