import * as z from 'zod/mini';

/** What help and errors say about an option. */
export interface OptionHelp {
  /** Stands for the value: `ID`, `URL`. */
  readonly placeholder: string;
  /** A noun phrase with format and bounds. */
  readonly summary: string;
  readonly example: string;
  readonly isRequired: boolean;
  /** The option takes no value. */
  readonly isFlag?: true;
}

const helps = z.registry<OptionHelp>();

/** A text, optional in the schema. With `isRequired`, the use case rejects a missing one. */
export function text(placeholder: string, summary: string, example: string, { isRequired = false } = {}) {
  return described(z.optional(z.string()), { placeholder, summary, example, isRequired });
}

/** A boolean: true if the option is given. */
export function flag(summary: string) {
  const schema = z.pipe(
    z.optional(z.string()),
    z.transform((typed) => typed !== undefined),
  );
  return described(schema, { placeholder: '', summary, example: '', isRequired: false, isFlag: true });
}

/** Without `bounds`, the use case checks them. */
export function wholeNumber(summary: string, example: string, [least, most] = [0, Infinity]) {
  const digits = z.string().check(z.regex(/^\d{1,9}$/, 'Use a whole number.'));
  const bounded = z.number().check(z.minimum(least), z.maximum(most));
  const schema = z.optional(z.pipe(z.pipe(digits, z.transform(Number)), bounded));
  return described(schema, { placeholder: 'N', summary, example, isRequired: false });
}

export function oneOf<Value extends string>(placeholder: string, summary: string, values: readonly Value[]) {
  const [example = ''] = values;
  return described(z.optional(z.enum(values)), { placeholder, summary, example, isRequired: false });
}

/** Makes a required option optional. */
export function optional<Schema extends z.ZodMiniType>(schema: Schema, summary: string) {
  return described(z.optional(schema), { ...helpOf(schema), summary, isRequired: false });
}

/** A comma-separated list. */
export function list(placeholder: string, summary: string, example: string) {
  const schema = z.optional(
    z.pipe(
      z.string(),
      z.transform((typed) => typed.split(',').map((item) => item.trim())),
    ),
  );
  return described(schema, { placeholder, summary, example, isRequired: false });
}

export function described<Schema extends z.ZodMiniType>(schema: Schema, help: OptionHelp): Schema {
  helps.add(schema, help);
  return schema;
}

export function helpOf(schema: z.core.$ZodType): OptionHelp {
  const help = helps.get(schema);
  if (!help) throw new Error('an option has no help');
  return help;
}

function id(prefix: string, summary: string, example: string) {
  const schema = z
    .string()
    .check(z.regex(new RegExp(`^${prefix}\\S{1,190}$`), `It begins with ${prefix}, such as ${example}.`));
  return described(schema, { placeholder: 'ID', summary, example, isRequired: true });
}

const practice = id('prc_', "the practice's ID", 'prc_HCAR7MeEt5v8Kv79apPA');
const endpoint = id('whe_', "the webhook endpoint's ID", 'whe_7Zk2mQ9sXw4TfB6nRc1L');
export const session = id('ses_', "the session's ID", 'ses_01M7WT8GBK9JN8GY3CPDSZDMFS');
export const event = id('evt_', "the event's ID", 'evt_01M7WT8GBK9JN8GY3CPDSZDMFS_2');

export const ofPractice = { practice };
export const ofEndpoint = { practice, endpoint };

export const keyId = described(
  z.string().check(z.regex(/^[0-9A-Za-z]{1,12}$/, 'Use the part of the key between its second and third underscore.')),
  { placeholder: 'KEYID', summary: "the key's ID", example: 'neGQouHXt3Jp', isRequired: true },
);

export const onOrOff = (summary: string) =>
  described(
    z.optional(
      z.pipe(
        z.enum(['on', 'off']),
        z.transform((typed) => typed === 'on'),
      ),
    ),
    { placeholder: 'on|off', summary, example: 'off', isRequired: false },
  );
