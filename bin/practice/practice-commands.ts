import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { line } from '../../functions/contract/practice-api.ts';
import {
  defaultPrimaryColor,
  generatePracticeId,
  generateTestBankPassword,
  type Practice,
} from '../../functions/domain/practice.ts';
import { sandboxUserNames } from '../../functions/domain/sandbox-bank.ts';
import { defaultLinkLifetimeDays, defaultSessionLifetimeSeconds } from '../../functions/domain/session.ts';
import { toIso } from '../../functions/domain/time.ts';
import { createPractice, listPractices, updatePractice } from '../../functions/store/practices.ts';
import { newEndpoint, requireTarget } from './endpoint-commands.ts';
import { newKey } from './key-commands.ts';
import { readLogo, storeLogo, type Logo } from './logo.ts';
import { practiceOptions, requirePractice, text, wholeNumber } from './options.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

/** Patients read it where they decide whom to trust. */
const practiceName = line(200);

/** What can be set of a practice, when it is created and later. */
const settings = z.strictObject({
  'session-lifetime-seconds': z.optional(wholeNumber(60, 86_400)),
  'link-lifetime-days': z.optional(wholeNumber(1, 365)),
  'support-phone': z.optional(z.string().check(z.regex(/^\+?[\d ().-]{7,30}$/))),
  'support-email': z.optional(z.email()),
  color: z.optional(z.string().check(z.regex(/^#[0-9a-f]{6}$/i))),
  logo: z.optional(z.string().check(z.minLength(1))),
  'invoice-guard': z.optional(z.enum(['on', 'off'])),
});
type Settings = z.output<typeof settings>;

export const createOptions = z.strictObject({ name: practiceName, 'webhook-url': z.optional(text), ...settings.shape });

/** Creates a practice with a first key and, where a URL is given, a webhook endpoint. The key and secret are shown this once. */
export async function create(stack: OperatedStack, options: z.output<typeof createOptions>, now: number) {
  const url = options['webhook-url'];
  if (url !== undefined) requireTarget(stack, url);
  if (stack.mode === 'live' && options['support-phone'] === undefined && options['support-email'] === undefined) {
    throw new OperatorError(
      'A patient must be able to revoke an authorization: give --support-phone or --support-email.',
    );
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
    ...(endpoint && {
      webhookUrl: endpoint.url,
      signingSecret: endpoint.signingSecret,
      endpointId: endpoint.endpointId,
    }),
    ...(stack.mode === 'sandbox' && {
      testBankCredentials: sandboxUserNames.map((username) => ({
        scenario: username.replace(/^user_/, ''),
        username,
        password: practice.testBankPassword,
      })),
    }),
  };
}

export const updateOptions = z.strictObject({ practice: text, name: z.optional(practiceName), ...settings.shape });

/** Changes what is given; sessions that are open keep the lifetimes that they began with. */
export async function update(stack: OperatedStack, options: z.output<typeof updateOptions>) {
  const { practice, name } = options;
  const logo = await logoOf(options);
  if (logo) await requirePractice(stack, practice);
  const changed = {
    ...settingsOf(options),
    ...(name !== undefined && { name }),
    ...(logo && { logoUrl: await storeLogo(stack, practice, logo) }),
  };
  const updated = await updatePractice(stack.database, practice, changed, options.logo === noLogo ? ['logoUrl'] : []);
  if (!updated) throw new OperatorError('There is no practice with this id.');
  return shown(updated);
}

export async function show(stack: OperatedStack, { practice }: z.output<typeof practiceOptions>) {
  return shown(await requirePractice(stack, practice));
}

export async function list({ database }: OperatedStack) {
  return { practices: (await listPractices(database)).map(shown) };
}

function shown({ testBankPassword: _, ...practice }: Practice) {
  return practice;
}

/** What is given in place of a file where there is to be no logo. */
const noLogo = 'none';

async function logoOf({ logo }: Settings): Promise<Logo | undefined> {
  return logo === undefined || logo === noLogo ? undefined : readLogo(logo);
}

function settingsOf(options: Settings): Partial<Practice> {
  const { color: primaryColor, 'support-phone': supportPhone, 'support-email': supportEmail } = options;
  return {
    ...(supportPhone !== undefined && { supportPhone }),
    ...(supportEmail !== undefined && { supportEmail }),
    ...(primaryColor !== undefined && { primaryColor }),
    ...(options['link-lifetime-days'] !== undefined && { linkLifetimeDays: options['link-lifetime-days'] }),
    ...(options['session-lifetime-seconds'] !== undefined && {
      sessionLifetimeSeconds: options['session-lifetime-seconds'],
    }),
    ...(options['invoice-guard'] !== undefined && { invoiceGuard: options['invoice-guard'] === 'on' }),
  };
}
