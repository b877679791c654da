import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type * as z from 'zod/mini';
import { createPractice } from '../../functions/practices/create.ts';
import { maximumLogoBytes } from '../../functions/practices/logo.ts';
import { getSettings, listPractices, updateSettings } from '../../functions/practices/settings.ts';
import { resumePractice, suspendPractice } from '../../functions/practices/suspension.ts';
import { author, command, ofPractice, onOrOff, text, wholeNumber } from './command.ts';
import { OperatorError } from './stack.ts';

const settings = {
  name: text,
  'session-lifetime-seconds': wholeNumber,
  'link-lifetime-days': wholeNumber,
  'support-phone': text,
  'support-email': text,
  color: text,
  'invoice-guard': onOrOff,
  'time-zone': text,
  logo: text,
};
type TypedSettings = z.output<z.ZodMiniObject<typeof settings>>;

export const practiceCommands = {
  create: command({ ...settings, 'webhook-url': text }, async (stack, { 'webhook-url': webhookUrl, ...typed }, now) => {
    const logo = (await readLogo(typed.logo)) ?? undefined;
    return createPractice(stack, { ...settingsOf(typed), webhookUrl, logo, author }, now);
  }),
  update: command({ ...ofPractice, ...settings }, async (stack, { practice: practiceId, ...typed }, now) =>
    updateSettings(stack, { ...settingsOf(typed), practiceId, logo: await readLogo(typed.logo), author }, now),
  ),
  suspend: command(ofPractice, (stack, { practice: practiceId }, now) =>
    suspendPractice(stack, { practiceId, author }, now),
  ),
  resume: command(ofPractice, (stack, { practice: practiceId }, now) =>
    resumePractice(stack, { practiceId, author }, now),
  ),
  show: command(ofPractice, (stack, { practice: practiceId }) => getSettings(stack, { practiceId })),
  list: command({}, (stack) => listPractices(stack)),
};

function settingsOf(typed: TypedSettings) {
  return {
    name: typed.name,
    sessionLifetimeSeconds: typed['session-lifetime-seconds'],
    linkLifetimeDays: typed['link-lifetime-days'],
    supportPhone: contactOf(typed['support-phone']),
    supportEmail: contactOf(typed['support-email']),
    primaryColor: typed.color,
    invoiceGuard: typed['invoice-guard'],
    timeZone: typed['time-zone'],
  };
}

/** Null for `none`. */
function contactOf(typed: string | undefined): string | null | undefined {
  return typed === 'none' ? null : typed;
}

/** Reads at most one byte more than a logo can have. Null for `none`. */
async function readLogo(path: string | undefined): Promise<Uint8Array | null | undefined> {
  if (path === undefined) return undefined;
  if (path === 'none') return null;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError('There is no file at --logo.');
  return buffer(createReadStream(path, { end: maximumLogoBytes }));
}
