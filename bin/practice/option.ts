import * as z from 'zod';

/** What help and errors say about an option. */
export interface OptionHelp {
  /** Stands for the value: `ID`, `URL`. A flag has none. */
  readonly placeholder?: string;
  /** A noun phrase with format and bounds. */
  readonly summary: string;
  readonly example?: string;
}

/** The option is required if its schema does not accept undefined. */
export type OptionSchemas = Readonly<Record<string, z.core.$ZodType>>;

const helps = z.registry<OptionHelp>();

export function described<Schema extends z.core.$ZodType>(schema: Schema, help: OptionHelp): Schema {
  helps.add(schema, help);
  return schema;
}

export function helpOf(schema: z.core.$ZodType): OptionHelp {
  const help = helps.get(schema);
  if (!help) throw new Error('an option has no help');
  return help;
}

/** `linkLifetimeDays` is `--link-lifetime-days`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function text(placeholder: string, summary: string, example: string) {
  return described(z.string().optional(), { placeholder, summary, example });
}

export function requiredText(placeholder: string, summary: string, example: string) {
  return described(z.string(), { placeholder, summary, example });
}

/** A boolean: true if the option is given. */
export function flag(summary: string) {
  return described(z.boolean().default(false), { summary });
}

/** Without `bounds`, the use case checks them. */
export function wholeNumber(summary: string, example: string, [least, most] = [0, Infinity]) {
  const digits = z.string().regex(/^\d{1,9}$/, 'Use a whole number.');
  const schema = digits.transform(Number).pipe(z.number().min(least).max(most)).optional();
  return described(schema, { placeholder: 'N', summary, example });
}

export function oneOf<Value extends string>(placeholder: string, summary: string, values: readonly Value[]) {
  const [example = ''] = values;
  return described(z.enum(values).optional(), { placeholder, summary, example });
}

/** Makes a required option optional. */
export function optional<Schema extends z.core.$ZodType>(schema: Schema, summary = helpOf(schema).summary) {
  return described(z.optional(schema), { ...helpOf(schema), summary });
}

/** A comma-separated list. */
export function list(placeholder: string, summary: string, example: string) {
  const items = z.string().transform((typed) => typed.split(',').map((item) => item.trim()));
  return described(items.optional(), { placeholder, summary, example });
}

export function onOrOff(summary: string) {
  const schema = z.enum(['on', 'off']).transform((typed) => typed === 'on');
  return described(schema.optional(), { placeholder: 'on|off', summary, example: 'off' });
}

function id(prefix: string, summary: string, example: string) {
  const schema = z.string().regex(new RegExp(`^${prefix}\\S{1,190}$`), `It begins with ${prefix}, such as ${example}.`);
  return described(schema, { placeholder: 'ID', summary, example });
}

const practice = id('prc_', "the practice's ID", 'prc_HCAR7MeEt5v8Kv79apPA');
const endpoint = id('whe_', "the webhook endpoint's ID", 'whe_7Zk2mQ9sXw4TfB6nRc1L');
export const session = id('ses_', "the session's ID", 'ses_01M7WT8GBK9JN8GY3CPDSZDMFS');
export const event = id('evt_', "the event's ID", 'evt_01M7WT8GBK9JN8GY3CPDSZDMFS_2');

export const ofPractice = { practice };
export const ofEndpoint = { practice, endpoint };

export const keyId = described(
  z.string().regex(/^[0-9A-Za-z]{1,12}$/, 'Use the part of the key between its second and third underscore.'),
  { placeholder: 'KEYID', summary: "the key's ID", example: 'neGQouHXt3Jp' },
);
