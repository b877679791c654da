import type { AcceptedTerms } from '../contract/practices/dashboard-going-live.ts';
import { linkSteps, type LinkStep } from '../contract/practices/dashboard-settings.ts';
import { Problem } from '../contract/problem.ts';
import { isPlatformId } from '../domain/practices/platform.ts';
import { defaultPrimaryColor, termsVersion, type Practice } from '../domain/practices/practice.ts';
import type { Author } from '../domain/team/audit-entry.ts';
import { toIso } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Database, ModeTools, WritingTools } from '../store/database.ts';
import { listApiKeys } from '../store/practices/api-keys.ts';
import { updatePractice } from '../store/practices/practices.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';
import { practiceEntry, practiceNotFound, requirePractice, type PracticeOfAuthor } from './requirements.ts';

const wanted = {
  contact: "a support phone number or email address, for its patients' questions",
  branding: 'a logo or a color of its own',
  deposit: 'a bank account for deposits, set up in the dashboard',
  webhookDelivered: 'a webhook endpoint that accepted a test event',
  terms: 'the terms accepted by an admin, in the dashboard',
} as const;

type GoLiveStep = keyof typeof wanted;
const keySteps = [
  'contact',
  'branding',
  'deposit',
  'webhookDelivered',
  'terms',
] as const satisfies readonly GoLiveStep[];

/** What a practice must have before live payments. */
export function goLiveSteps(
  { supportPhone, supportEmail, logoUrl, primaryColor, depositReadyAt, termsAccepted }: Practice,
  endpoints: readonly WebhookEndpoint[],
): Record<GoLiveStep, boolean> {
  return {
    contact: supportPhone !== undefined || supportEmail !== undefined,
    branding: logoUrl !== undefined || primaryColor !== defaultPrimaryColor,
    deposit: depositReadyAt !== undefined,
    webhookDelivered: endpoints.some(({ firstDeliveredAt }) => firstDeliveredAt !== undefined),
    terms: termsAccepted?.version === termsVersion,
  };
}

/**
 * In live mode, throws a Problem that names everything missing. A practice that has ever had a key passes. So does a platform:
 * each of its practices must be ready by itself.
 */
export async function requireReadyForKey({ database, mode }: ModeTools, practiceId: string): Promise<void> {
  if (isPlatformId(practiceId)) return;
  const practice = await requirePractice(database, practiceId);
  if (mode === 'sandbox' || (await hasHadKey(database, practiceId))) return;
  const done = goLiveSteps(practice, await listWebhookEndpoints(database, practiceId));
  requireNothing(
    'API key',
    keySteps.filter((step) => !done[step]),
  );
}

/** Throws a Problem if the practice cannot make payment links in the dashboard yet. They need no webhook endpoint. */
export async function requireReadyForLinks(tools: ModeTools, practiceId: string): Promise<void> {
  requireNothing('payment link', await missingForLinks(tools, await requirePractice(tools.database, practiceId)));
}

/** Throws a Problem if the practice's platform cannot create sessions for it yet. */
export async function requireReadyForPlatform(tools: ModeTools, practice: Practice): Promise<void> {
  requireNothing('session that its platform creates', await missingForLinks(tools, practice));
}

/** What a practice still needs before it can make payment links in the dashboard. In the sandbox, nothing. */
export async function missingForLinks({ database, mode }: ModeTools, practice: Practice): Promise<LinkStep[]> {
  if (mode === 'sandbox') return [];
  // New terms must not stop a front desk that is already working: Home asks to accept them.
  const done = { ...goLiveSteps(practice, []), terms: practice.termsAccepted !== undefined };
  const missing = linkSteps.filter((step) => !done[step]);
  return missing.length > 0 && (await hasHadKey(database, practice.practiceId)) ? [] : missing;
}

async function hasHadKey(database: Database, practiceId: string): Promise<boolean> {
  return (await listApiKeys(database, practiceId)).length > 0;
}

function requireNothing(what: string, missing: readonly GoLiveStep[]): void {
  if (missing.length === 0) return;
  const detail = `Before its first live ${what}, the practice needs ${missing.map((step) => wanted[step]).join('; ')}.`;
  throw new Problem('not_ready_for_live', detail, { extra: { missing } });
}

/** Stores who accepted which version, and when. */
export async function acceptTerms(
  tools: WritingTools,
  { practiceId, author, version }: PracticeOfAuthor & { readonly version: string },
  now: number,
): Promise<AcceptedTerms> {
  const termsAccepted = { version, at: toIso(now), by: nameOf(author) };
  const entry = practiceEntry(tools, { practiceId, author }, 'terms.accepted', now, { version });
  const { row } = await updatePractice(tools.database, practiceId, { set: { termsAccepted } }, entry);
  if (!row) throw practiceNotFound();
  return { termsAccepted };
}

function nameOf(author: Author): string {
  return author.kind === 'user' ? (author.email ?? author.userId) : author.kind;
}
