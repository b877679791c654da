import type * as z from 'zod/mini';
import { newPractice } from '../contract/practices/practices.ts';
import type { Audited } from '../domain/team/audit-entry.ts';
import type { Mode } from '../domain/mode.ts';
import { defaultPrimaryColor, generatePracticeId, type Practice } from '../domain/practices/practice.ts';
import { defaultRetentionMonths } from '../domain/sessions/retention.ts';
import { defaultLinkLifetimeDays, defaultSessionLifetimeSeconds } from '../domain/sessions/session.ts';
import { defaultTimeZone, toIso } from '../domain/time.ts';
import type { PutFile } from '../messages/practices/page-files.ts';
import type { WritingTools } from '../store/database.ts';
import { insertPractice } from '../store/practices/practices.ts';
import { contactRequired, parseInput, type Unchecked, practiceEntry } from './requirements.ts';
import { makeKey } from './keys.ts';
import { parseLogo, storeLogo } from './logo.ts';
import { generateTestBankPassword, testBankCredentials } from './test-bank.ts';
import { makeEndpoint, requireAllowedUrl } from '../webhooks/webhook-endpoints.ts';

interface CreateTools extends WritingTools {
  readonly mode: Mode;
  readonly allowLoopbackWebhooks: boolean;
  readonly putFile: PutFile;
}

interface CreateInput extends Unchecked<typeof newPractice>, Audited {
  /** A picture file. */
  readonly logo?: Uint8Array | null | undefined;
}

/**
 * Creates a practice with its first key and endpoint, or nothing. Their secrets are shown only once.
 * A live practice gets its first key later, when it is ready for payments.
 */
export async function createPractice(
  tools: CreateTools,
  { logo: picture, author, ...given }: CreateInput,
  now: number,
) {
  const { database, mode, putFile } = tools;
  const { name, webhookUrl: url, ...settings } = parseInput(newPractice, given);
  if (url !== undefined) requireAllowedUrl(tools, url);
  const logo = picture ? parseLogo(picture) : undefined;
  const row = newPracticeRow(tools, { name, ...settings }, now);
  const { practiceId } = row;
  const practice = { ...row, logoUrl: logo && (await storeLogo(putFile, practiceId, logo)) };
  const first = mode === 'sandbox' ? makeKey(tools, { practiceId, name: 'First key' }, now) : undefined;
  const endpoint = url === undefined ? undefined : makeEndpoint(tools, { practiceId, url }, now);
  const entry = practiceEntry(tools, { practiceId, author }, 'practice.created', now, { name });
  await insertPractice(database, practice, first?.row, endpoint, entry);
  return {
    practiceId,
    ...(first && { apiKey: first.apiKey }),
    ...(endpoint && {
      webhookUrl: endpoint.url,
      signingSecret: endpoint.signingSecret,
      endpointId: endpoint.endpointId,
    }),
    ...(mode === 'sandbox' && { testBankCredentials: testBankCredentials(practice) }),
  };
}

type RowTools = Pick<CreateTools, 'mode' | 'randomBytes'>;

/** The caller writes the row. Throws a Problem for a live practice that patients cannot reach. */
export function newPracticeRow(
  { mode, randomBytes }: RowTools,
  settings: Omit<z.output<typeof newPractice>, 'webhookUrl'>,
  now: number,
): Practice {
  if (mode === 'live' && settings.supportPhone === undefined && settings.supportEmail === undefined)
    throw contactRequired();
  return {
    ...settings,
    practiceId: generatePracticeId(randomBytes),
    createdAt: toIso(now),
    primaryColor: settings.primaryColor ?? defaultPrimaryColor,
    linkLifetimeDays: settings.linkLifetimeDays ?? defaultLinkLifetimeDays,
    sessionLifetimeSeconds: settings.sessionLifetimeSeconds ?? defaultSessionLifetimeSeconds,
    extensions: settings.extensions ?? true,
    invoiceGuard: settings.invoiceGuard ?? true,
    retentionMonths: settings.retentionMonths ?? defaultRetentionMonths,
    timeZone: settings.timeZone ?? defaultTimeZone,
    testBankPassword: generateTestBankPassword(randomBytes),
  };
}
