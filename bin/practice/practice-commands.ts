import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type * as z from 'zod';
import { Problem } from '../../functions/contract/problem.ts';
import { createPractice } from '../../functions/practices/create.ts';
import { maximumLogoBytes } from '../../functions/practices/logo.ts';
import { getSettings, listPractices, updateSettings } from '../../functions/practices/settings.ts';
import { resumePractice, suspendPractice } from '../../functions/practices/suspend-and-close.ts';
import { getTestBank } from '../../functions/practices/test-bank.ts';
import { command, feeOptions, ofPractice, onOrOff, optional, requiredText, text, wholeNumber } from './command.ts';
import { describe, table } from './layout.ts';

const group = 'Practices';
const name = requiredText('N', 'the name that patients see, 1 to 200 characters', 'Lakeside Family Practice');

const settings = {
  supportPhone: text(
    'P',
    'whom patients call, 7 to 15 digits, with an extension if there is one; `none` removes it',
    '+1 555 010 0100',
  ),
  supportEmail: text('E', 'whom patients write to; `none` removes it', 'billing@lakeside.example'),
  postalAddress: text(
    'A',
    'for the paper receipt, at most 200 characters in 4 lines with `\\n` between them; `none` removes it',
    String.raw`120 Lakeside Drive\nSpringfield, IL 62701`,
  ),
  privacyUrl: text(
    'URL',
    'its privacy page, which patients see instead of ours; `none` removes it',
    'https://lakeside.example/privacy',
  ),
  termsUrl: text(
    'URL',
    'its terms, which patients see instead of ours; `none` removes it',
    'https://lakeside.example/terms',
  ),
  linkLifetimeDays: wholeNumber('how long an unopened link works, 1 to 365', '7'),
  sessionLifetimeSeconds: wholeNumber('how long a patient has, once started, 60 to 86400', '1800'),
  extensions: onOrOff('whether patients can ask for more time'),
  invoiceGuard: onOrOff('whether an invoice can be paid only once'),
  retentionMonths: wholeNumber("how long after a session's end patients' details are kept, 1 to 84", '24'),
  timeZone: text('ZONE', "the zone of the dashboard's days", 'America/New_York'),
  primaryColor: text('#RRGGBB', "the page's accent color", '#0f766e'),
  logo: text('FILE', 'a PNG, JPEG or WebP of at most 100 kB; `none` removes it', './logo.png'),
};
const rateLimit = wholeNumber('requests a second with its API keys, 1 to 10000; applies within a minute', '200');
type SettingsOptions = Partial<z.output<z.ZodObject<typeof settings>>>;

export const practiceCommands = {
  create: command({
    group,
    summary: 'Create a practice; in a sandbox, with a first API key. Secrets are shown only once.',
    options: {
      name,
      ...settings,
      webhookUrl: text('URL', 'its first webhook endpoint, at most 500 characters', 'https://example.com/webhooks'),
    },
    run: async (stack, options, now) => {
      const logo = await readLogo(options.logo);
      return createPractice(stack, { ...settingsOf(options), logo }, now);
    },
    show: ({ testBankCredentials: users = [], ...created }, page) =>
      describe(page, { ...created, ...(users[0] && { testBank: testBankOf(users[0].password, users) }) }),
  }),
  update: command({
    group,
    summary: 'Change settings. Open sessions keep the lifetime that they started with.',
    options: { ...ofPractice, name: optional(name), ...settings, rateLimit, ...feeOptions },
    run: async (stack, options, now) => {
      const logo = await readLogo(options.logo);
      return updateSettings(stack, { ...settingsOf(options), logo }, now);
    },
  }),
  show: command({
    group,
    summary: "Show a practice's settings, and in a sandbox its test bank's users and password.",
    options: ofPractice,
    run: async (stack, input) => ({
      ...(await getSettings(stack, input)),
      ...(stack.mode === 'sandbox' && { testBank: await getTestBank(stack, input) }),
    }),
    show: ({ testBank, ...shown }, page) =>
      describe(page, { ...shown, ...(testBank && { testBank: testBankOf(testBank.password, testBank.users) }) }),
  }),
  list: command({
    group,
    summary: 'List all practices.',
    options: {},
    run: listPractices,
    show: ({ practices, unreadableIds }, page) =>
      table(
        page,
        ['Practice', 'Name', 'Created', 'Suspended', 'Closed'],
        [
          ...practices.map((each) => [each.practiceId, each.name, each.createdAt, each.suspendedAt, each.closedAt]),
          ...unreadableIds.map((practiceId) => [practiceId, '(row not readable)']),
        ],
      ),
  }),
  suspend: command({
    group,
    summary: 'Stop new sessions and authorizations. Debits, webhooks and receipts go on.',
    options: ofPractice,
    run: suspendPractice,
  }),
  resume: command({
    group,
    summary: 'End a suspension.',
    options: ofPractice,
    run: resumePractice,
  }),
};

function testBankOf(password: string, users: readonly { readonly username: string }[]) {
  return { password, users: users.map(({ username }) => username).join(' ') };
}

function settingsOf<Options extends SettingsOptions>(options: Options) {
  return {
    ...options,
    supportPhone: removable(options.supportPhone),
    supportEmail: removable(options.supportEmail),
    postalAddress: removable(options.postalAddress?.replaceAll(String.raw`\n`, '\n')),
    privacyUrl: removable(options.privacyUrl),
    termsUrl: removable(options.termsUrl),
  };
}

/** Returns null for `none`, which removes the setting. */
function removable(typed: string | undefined): string | null | undefined {
  return typed === 'none' ? null : typed;
}

/** Reads one byte more than a logo can have, so that a larger file is rejected. Returns null for `none`. */
async function readLogo(path: string | undefined): Promise<Uint8Array | null | undefined> {
  if (path === undefined) return undefined;
  if (path === 'none') return null;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new Problem('logo_not_accepted', `There is no file ${path}.`);
  return buffer(createReadStream(path, { end: maximumLogoBytes }));
}
