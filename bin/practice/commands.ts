import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { webhookEventTypes } from '../../functions/contract/webhook-events.ts';
import { generateApiKey, rotationEnds, scopes, type ApiKey } from '../../functions/domain/api-key.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { defaultPrimaryColor, generatePracticeId, generateTestBankPassword, type Practice } from '../../functions/domain/practice.ts';
import { sandboxUserNames } from '../../functions/domain/sandbox-bank.ts';
import { defaultLinkLifetimeDays, defaultSessionLifetimeSeconds } from '../../functions/domain/session.ts';
import { day, hour, toIso } from '../../functions/domain/time.ts';
import { generateEndpointId, type WebhookEndpoint } from '../../functions/domain/webhook-endpoint.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import { targetFault } from '../../functions/domain/webhook-target.ts';
import { getEvidence } from '../../functions/store/authorizations.ts';
import { createApiKey, endApiKey, listApiKeys, revokeApiKey } from '../../functions/store/api-keys.ts';
import { createPractice, getPractice, listPractices, updatePractice } from '../../functions/store/practices.ts';
import { changeWebhookUrl, createWebhookEndpoint, getWebhookEndpoint, rotateSigningSecret } from '../../functions/store/webhook-endpoints.ts';
import { readLogo, storeLogo, type Logo } from './logo.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

const text = z.string().check(z.minLength(1), z.maxLength(200));
const commaList = z.pipe(z.string(), z.transform((value) => value.split(',').map((item) => item.trim())));

function wholeNumber(minimum: number, maximum: number) {
  return z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.pipe(z.transform(Number), z.int().check(z.minimum(minimum), z.maximum(maximum))));
}

/** A list of some of these event types. */
export function eventList<const Types extends readonly string[]>(types: Types) {
  return z.pipe(commaList, z.array(z.enum(types)).check(z.minLength(1)));
}

/** Whether every answer but 2xx and 410 is tried again, or only what the standard says. */
export const retryPolicy = z.enum(['standard', 'all']);

/** What can be set of a practice, when it is created and later. */
const settings = {
  'session-lifetime-seconds': z.optional(wholeNumber(60, 86_400)),
  'link-lifetime-days': z.optional(wholeNumber(1, 365)),
  'support-phone': z.optional(z.string().check(z.regex(/^\+?[\d ().-]{7,30}$/))),
  'support-email': z.optional(z.email()),
  color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/i))),
  logo: z.optional(z.string().check(z.minLength(1))),
  'invoice-guard': z.optional(z.enum(['on', 'off'])),
};

/** The options of each command, as they are typed, `--link-lifetime-days 7` being `link-lifetime-days`. */
export const commandOptions = {
  create: z.strictObject({
    name: text,
    'webhook-url': z.optional(text),
    ...settings,
  }),
  update: z.strictObject({ practice: text, name: z.optional(text), ...settings }),
  show: z.strictObject({ practice: text }),
  list: z.strictObject({}),
  'add-key': z.strictObject({
    practice: text,
    name: text,
    scopes: z.optional(z.pipe(commaList, z.array(z.enum(scopes)).check(z.minLength(1)))),
    'expires-in-days': z.optional(wholeNumber(1, 3650)),
  }),
  'rotate-key': z.strictObject({ practice: text, key: text, end: z.optional(z.enum(['now', '1h', '24h', '7d'])) }),
  'list-keys': z.strictObject({ practice: text }),
  'revoke-key': z.strictObject({ practice: text, key: text }),
  evidence: z.strictObject({ session: text }),
  'add-webhook': z.strictObject({ practice: text, url: text, events: z.optional(eventList(webhookEventTypes)), retry: z.optional(retryPolicy) }),
  'rotate-secret': z.strictObject({ practice: text, endpoint: text, 'keep-old-hours': z.optional(wholeNumber(0, 168)) }),
} as const;

type Options<Name extends keyof typeof commandOptions> = z.output<(typeof commandOptions)[Name]>;

/** Creates a practice with a first key and, where a URL is given, a webhook endpoint. The key and secret are shown this once. */
export async function create(stack: OperatedStack, options: Options<'create'>, now: number) {
  const url = options['webhook-url'];
  if (url !== undefined) requireTarget(stack, url);
  if (stack.mode === 'live' && options['support-phone'] === undefined && options['support-email'] === undefined) {
    throw new OperatorError('A patient must be able to revoke an authorization: give --support-phone or --support-email.');
  }
  const logo = await logoOf(options);
  const practiceId = generatePracticeId(randomBytes);
  const practice: Practice = {
    practiceId,
    name: options.name,
    createdAt: toIso(now),
    primaryColor: defaultPrimaryColor,
    linkLifetimeDays: defaultLinkLifetimeDays,
    sessionLifetimeSeconds: defaultSessionLifetimeSeconds,
    invoiceGuard: true,
    ...settingsOf(options),
    ...(logo && { logoUrl: await storeLogo(stack, practiceId, logo) }),
    testBankPassword: generateTestBankPassword(randomBytes),
  };
  const { apiKey, row } = newKey(stack, { practice: practiceId, name: 'First key' }, now);
  const endpoint = url === undefined ? undefined : newEndpoint({ practice: practiceId, url }, now);
  await createPractice(stack.database, practice, row, endpoint);
  return {
    practiceId,
    apiKey,
    ...(endpoint && { webhookUrl: endpoint.url, signingSecret: endpoint.signingSecret, endpointId: endpoint.endpointId }),
    ...(stack.mode === 'sandbox' && {
      testBankCredentials: sandboxUserNames.map((username) => ({ scenario: username.replace(/^user_/, ''), username, password: practice.testBankPassword })),
    }),
  };
}

/** Changes what is given; sessions that are open keep the lifetimes that they began with. */
export async function update(stack: OperatedStack, options: Options<'update'>) {
  const { practice, name } = options;
  const logo = await logoOf(options);
  if (logo) await requirePractice(stack, practice);
  const changed = { ...settingsOf(options), ...(name !== undefined && { name }), ...(logo && { logoUrl: await storeLogo(stack, practice, logo) }) };
  const updated = await updatePractice(stack.database, practice, changed, options.logo === noLogo ? ['logoUrl'] : []);
  if (!updated) throw new OperatorError('There is no practice with this id.');
  return shown(updated);
}

export async function show({ database }: OperatedStack, options: Options<'show'>) {
  const found = await getPractice(database, options.practice);
  if (!found) throw new OperatorError('There is no practice with this id.');
  return shown(found);
}

export async function list({ database }: OperatedStack) {
  return { practices: (await listPractices(database)).map(shown) };
}

function shown({ testBankPassword: _, ...practice }: Practice) {
  return practice;
}

/** What is given in place of a file where there is to be no logo. */
const noLogo = 'none';

async function logoOf({ logo }: Pick<Options<'update'>, 'logo'>): Promise<Logo | undefined> {
  return logo === undefined || logo === noLogo ? undefined : readLogo(logo);
}

function settingsOf(options: Omit<Options<'update'>, 'practice' | 'name'>): Partial<Practice> {
  const { color: primaryColor, 'support-phone': supportPhone, 'support-email': supportEmail } = options;
  return {
    ...(supportPhone !== undefined && { supportPhone }),
    ...(supportEmail !== undefined && { supportEmail }),
    ...(primaryColor !== undefined && { primaryColor }),
    ...(options['link-lifetime-days'] !== undefined && { linkLifetimeDays: options['link-lifetime-days'] }),
    ...(options['session-lifetime-seconds'] !== undefined && { sessionLifetimeSeconds: options['session-lifetime-seconds'] }),
    ...(options['invoice-guard'] !== undefined && { invoiceGuard: options['invoice-guard'] === 'on' }),
  };
}

export async function addKey(stack: OperatedStack, options: Options<'add-key'>, now: number) {
  await requirePractice(stack, options.practice);
  const { apiKey, row } = newKey(stack, options, now);
  await createApiKey(stack.database, row);
  return { keyId: row.keyId, apiKey };
}

function newKey({ mode }: OperatedStack, options: Options<'add-key'>, now: number): { apiKey: string; row: ApiKey } {
  const { apiKey, keyId, secretHash } = generateApiKey(mode, randomBytes);
  const expiresAt = options['expires-in-days'] === undefined ? {} : { expiresAt: toIso(now + options['expires-in-days'] * day) };
  return { apiKey, row: { keyId, secretHash, practiceId: options.practice, name: options.name, scopes: options.scopes ?? [...scopes], createdAt: toIso(now), ...expiresAt } };
}

/** Gives a practice a new key like this one, with its name and scopes; the old one ends at a time of choice (24 h). */
export async function rotateKey(stack: OperatedStack, options: Options<'rotate-key'>, now: number) {
  const previousKeyExpiresAt = toIso(now + rotationEnds[options.end ?? '24h']);
  const ended = await endApiKey(stack.database, options.practice, options.key, previousKeyExpiresAt);
  if (!ended) throw noSuchKey();
  const created = await addKey(stack, { practice: options.practice, name: ended.name, scopes: ended.scopes }, now);
  return { ...created, previousKeyId: ended.keyId, previousKeyExpiresAt: ended.expiresAt };
}

export async function listKeys(stack: OperatedStack, options: Options<'list-keys'>) {
  await requirePractice(stack, options.practice);
  const keys = await listApiKeys(stack.database, options.practice);
  return { keys: keys.map(({ keyId, name, scopes: granted, createdAt, expiresAt, revokedAt, lastUsedOn }) => ({ keyId, name, scopes: granted, createdAt, expiresAt, revokedAt, lastUsedOn })) };
}

export async function revokeKey(stack: OperatedStack, options: Options<'revoke-key'>, now: number) {
  const revoked = await revokeApiKey(stack.database, options.practice, options.key, toIso(now));
  if (!revoked) throw noSuchKey();
  return { keyId: revoked.keyId, revokedAt: revoked.revokedAt };
}

export async function addWebhook(stack: OperatedStack, options: Options<'add-webhook'>, now: number) {
  await requirePractice(stack, options.practice);
  requireTarget(stack, options.url);
  const endpoint = newEndpoint(options, now);
  await createWebhookEndpoint(stack.database, endpoint);
  return { endpointId: endpoint.endpointId, url: endpoint.url, signingSecret: endpoint.signingSecret };
}

function newEndpoint(options: Options<'add-webhook'>, now: number): WebhookEndpoint {
  return {
    practiceId: options.practice,
    endpointId: generateEndpointId(randomBytes),
    url: options.url,
    signingSecret: generateSigningSecret(randomBytes),
    status: 'enabled',
    createdAt: toIso(now),
    ...(options.events && { eventTypes: options.events }),
    ...(options.retry === 'all' && { retriesAllFailures: true }),
  };
}

/** Gives an endpoint a new secret; the old one signs beside it for `keep-old-hours` (24; 0 after a compromise). */
export async function rotateSecret(stack: OperatedStack, options: Options<'rotate-secret'>, now: number) {
  const previousSecretExpiresAt = toIso(now + (options['keep-old-hours'] ?? 24) * hour);
  const signingSecret = generateSigningSecret(randomBytes);
  const rotated = await rotateSigningSecret(stack.database, options.practice, options.endpoint, { signingSecret, previousSecretExpiresAt });
  if (!rotated) throw new OperatorError('This practice has no such webhook endpoint.');
  return { signingSecret, previousSecretExpiresAt };
}

/** The secret that an endpoint's webhooks are signed with now; what the demo receiver verifies with. */
export async function currentSigningSecret({ database }: OperatedStack, { practiceId, endpointId }: { practiceId: string; endpointId: string }): Promise<string> {
  const endpoint = await getWebhookEndpoint(database, practiceId, endpointId);
  if (!endpoint) throw new OperatorError('This practice has no such webhook endpoint.');
  return endpoint.signingSecret;
}

/** Brings an endpoint to this URL, or makes one there where it was deleted. */
export async function placeWebhook(stack: OperatedStack, { practiceId, endpointId }: { practiceId: string; endpointId: string }, url: string, now: number) {
  const found = await getWebhookEndpoint(stack.database, practiceId, endpointId);
  if (!found) return addWebhook(stack, { practice: practiceId, url }, now);
  requireTarget(stack, url);
  if (found.url !== url) await changeWebhookUrl(stack.database, practiceId, endpointId, url);
  return { endpointId, url, signingSecret: found.signingSecret };
}

/** The proof that a patient authorised a debit, as it was written then, and whether its text still has the hash that was accepted. */
export async function showEvidence({ database }: OperatedStack, options: Options<'evidence'>) {
  const evidence = await getEvidence(database, options.session);
  if (!evidence) throw new OperatorError('No debit was authorized in a session of this id.');
  return { ...evidence, textMatchesAuthorizationId: sha256(evidence.text) === evidence.authorizationId };
}

function noSuchKey(): OperatorError {
  return new OperatorError('This practice has no such key. A key id is the part of the key between its second and third underscore.');
}

/** Throws where there is no such practice. */
export async function requirePractice({ database }: OperatedStack, practiceId: string): Promise<void> {
  if (!(await getPractice(database, practiceId))) throw new OperatorError('There is no practice with this id.');
}

/** Throws where a URL cannot be a webhook's. */
export function requireTarget({ allowLoopbackWebhooks }: OperatedStack, url: string): void {
  const fault = targetFault(url, allowLoopbackWebhooks);
  if (fault !== undefined) throw new OperatorError(fault);
}
