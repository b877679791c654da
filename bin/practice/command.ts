import * as z from 'zod';
import type { Audited, Author } from '../../functions/domain/team/audit-entry.ts';
import { isPlatformId } from '../../functions/domain/practices/platform.ts';
import { requirePlatform } from '../../functions/practices/platforms.ts';
import { parseInput } from '../../functions/practices/requirements.ts';
import { describe, type Page } from './layout.ts';
import type { OperatedStack, Place } from './stack.ts';

/** What help and errors say about an option. */
interface OptionHelp {
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

/** If no bounds are given, the use case checks them. */
export function wholeNumber(summary: string, example: string, [least, most] = [0, Infinity]) {
  const digits = z.string().regex(/^\d{1,9}$/, 'Use a whole number.');
  const schema = digits.transform(Number).pipe(z.number().min(least).max(most)).optional();
  return described(schema, { placeholder: 'N', summary, example });
}

/** Null for `none`, which removes the setting. */
function wholeNumberOrNone(summary: string, example: string) {
  const digits = z.string().regex(/^(?:\d{1,9}|none)$/, 'Use a whole number, or `none`.');
  const schema = digits.transform((typed) => (typed === 'none' ? null : Number(typed))).optional();
  return described(schema, { placeholder: 'N', summary, example });
}

/** The fee options of a practice or platform. */
export const feeOptions = {
  applicationFeeCents: wholeNumberOrNone(
    'your fee on each live debit, in cents, 0 to 10000; for sessions created from now on; `none` removes it',
    '30',
  ),
  applicationFeeBasisPoints: wholeNumberOrNone(
    'and in hundredths of a percent of the amount, 0 to 5000; `none` removes it',
    '100',
  ),
};

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

function id(prefix: string, summary: string, example: string, prefixes = prefix) {
  const begins = `It begins with ${prefixes}, such as ${example}.`;
  const schema = z.string().regex(new RegExp(`^${prefix}\\S{1,190}$`), begins);
  return described(schema, { placeholder: 'ID', summary, example });
}

const practice = id('prc_', "the practice's ID", 'prc_HCAR7MeEt5v8Kv79apPA');
const owner = id('(?:prc|plt)_', "the practice's ID, or a platform's", 'prc_HCAR7MeEt5v8Kv79apPA', 'prc_ or plt_');
export const platform = id('plt_', "the platform's ID", 'plt_dGmR2Yw7QpLk4TzX9cVb');
const endpoint = id('whe_', "the webhook endpoint's ID", 'whe_7Zk2mQ9sXw4TfB6nRc1L');
export const session = id('ses_', "the session's ID", 'ses_01M7WT8GBK9JN8GY3CPDSZDMFS');
export const event = id('evt_', "the event's ID", 'evt_01M7WT8GBK9JN8GY3CPDSZDMFS_2');

export const ofPractice = { practiceId: practice };
/** For what practices and platforms both own: keys, endpoints, deliveries and an audit log. */
export const ofOwner = { practiceId: owner };
export const ofEndpoint = { practiceId: owner, endpointId: endpoint };

export const keyId = described(
  z.string().regex(/^[0-9A-Za-z]{1,12}$/, 'Use the part of the key between its second and third underscore.'),
  { placeholder: 'KEYID', summary: "the key's ID", example: 'neGQouHXt3Jp' },
);

export interface Terminal extends Page {
  /** Writes a line to stdout. */
  print(line: string): void;
  /** Writes a line to stderr, for people. */
  note(line: string): void;
  /** Asks a question and returns the typed line. Undefined at the end of the input. */
  ask(question: string): Promise<string | undefined>;
  /** From now on, Ctrl-C aborts the returned signal instead of killing the process. */
  onInterrupt(): AbortSignal;
}

export interface Context {
  readonly place: Place;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly now: number;
  openStack(): Promise<OperatedStack>;
}

interface Outcome {
  /** Undefined if everything was printed already. */
  readonly result: object | undefined;
  show(page: Page): string;
  /** The command ran, but its result is a failure. */
  readonly failed?: boolean;
}

interface Description<Options> {
  /** The help's heading. */
  readonly group: 'Practices' | 'Platforms' | 'API keys' | 'Webhooks' | 'Dashboard' | 'Sandbox' | 'Operations';
  /** One sentence for the help. */
  readonly summary: string;
  readonly options: Options;
}

export interface PracticeCommand extends Description<OptionSchemas> {
  /** Takes the options as typed. Throws a Problem if one is wrong. */
  run(context: Context, typed: object): Promise<Outcome>;
}

type OptionValues<Options extends OptionSchemas> = z.output<z.ZodObject<Options, z.core.$strict>>;

interface StackCommand<Options extends OptionSchemas, Result extends object> extends Description<Options> {
  /** Options have the same names as in the use case, so that it can be the command. */
  run(stack: OperatedStack, input: OptionValues<Options> & Audited, now: number, terminal: Terminal): Promise<Result>;
  /** Shows the result's fields by default. */
  show?(result: Result, page: Page): string;
  failed?(result: Result): boolean;
  after?(stack: OperatedStack, options: OptionValues<Options>, result: Result): Promise<void>;
}

/** Use cases trust that a platform exists, because its own keys and members call them. Only here, people type its ID. */
const ofPlatform = z.object({ practiceId: z.string().refine(isPlatformId) });

/** A command that works on a stack. Its schemas only convert texts; the use case checks the bounds. */
export function command<Options extends OptionSchemas, Result extends object>(
  definition: StackCommand<Options, Result>,
): PracticeCommand {
  const { show = (result, page) => describe(page, result) } = definition;
  return freeCommand({
    ...definition,
    run: async ({ openStack, now, terminal }, options) => {
      const stack = await openStack();
      const { data: typed } = ofPlatform.safeParse(options);
      if (typed) await requirePlatform(stack.database, typed.practiceId);
      const result = await definition.run(stack, { ...options, author }, now, terminal);
      await definition.after?.(stack, options, result);
      return { result, show: (page) => show(result, page), failed: definition.failed?.(result) ?? false };
    },
  });
}

interface FreeCommand<Options extends OptionSchemas> extends Description<Options> {
  run(context: Context, options: OptionValues<Options>): Promise<Outcome>;
}

/** A command that opens a stack or an API itself, if it needs one. */
export function freeCommand<Options extends OptionSchemas>(definition: FreeCommand<Options>): PracticeCommand {
  const { group, summary, options } = definition;
  const schema = z.strictObject(options);
  return {
    group,
    summary,
    options,
    run: async (context, typed) => definition.run(context, parseInput(schema, typed)),
  };
}

/** The author of every change that the command makes. */
export const author: Author = { kind: 'operator' };
