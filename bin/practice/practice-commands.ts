import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';
import {
  endpointUrl,
  linkLifetimeDays,
  practiceName,
  primaryColor,
  sessionLifetimeSeconds,
  supportEmail,
  supportPhone,
  type PracticeSettings,
} from '../../functions/contract/practices.ts';
import { maximumLogoBytes } from '../../functions/practices/logo.ts';
import { createPractice, getSettings, listPractices, updateSettings } from '../../functions/practices/settings.ts';
import { command, ofPractice, wholeNumber } from './command.ts';
import { OperatorError } from './stack.ts';

const settings = {
  'session-lifetime-seconds': z.optional(wholeNumber(sessionLifetimeSeconds)),
  'link-lifetime-days': z.optional(wholeNumber(linkLifetimeDays)),
  'support-phone': z.optional(supportPhone),
  'support-email': z.optional(supportEmail),
  color: z.optional(primaryColor),
  'invoice-guard': z.optional(z.enum(['on', 'off'])),
};
type TypedSettings = z.output<z.ZodMiniObject<typeof settings>>;

const file = z.string().check(z.minLength(1));

export const practiceCommands = {
  create: command(
    { name: practiceName, 'webhook-url': z.optional(endpointUrl), ...settings, logo: z.optional(file) },
    async (stack, { name, 'webhook-url': webhookUrl, logo, ...typed }, now) => {
      const picture = (await readLogo(logo)) ?? undefined;
      return createPractice(stack, { ...settingsOf(typed), name, webhookUrl, logo: picture }, now);
    },
  ),
  update: command(
    { ...ofPractice, name: z.optional(practiceName), ...settings, logo: z.optional(file) },
    async (stack, { practice: practiceId, name, logo, ...typed }) =>
      updateSettings(stack, { ...settingsOf(typed), practiceId, name, logo: await readLogo(logo) }),
  ),
  show: command(ofPractice, (stack, { practice: practiceId }) => getSettings(stack, { practiceId })),
  list: command({}, (stack) => listPractices(stack)),
};

function settingsOf(typed: TypedSettings): PracticeSettings {
  const guard = typed['invoice-guard'];
  return {
    sessionLifetimeSeconds: typed['session-lifetime-seconds'],
    linkLifetimeDays: typed['link-lifetime-days'],
    supportPhone: typed['support-phone'],
    supportEmail: typed['support-email'],
    primaryColor: typed.color,
    invoiceGuard: guard === undefined ? undefined : guard === 'on',
  };
}

/** The bytes of a file, cut off where they are too many for a logo anyway; null for `none`. */
async function readLogo(path: string | undefined): Promise<Uint8Array | null | undefined> {
  if (path === undefined) return undefined;
  if (path === 'none') return null;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError('There is no file at --logo.');
  return buffer(createReadStream(path, { end: maximumLogoBytes }));
}
