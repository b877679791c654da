import { parseArgs } from 'node:util';
import type { Command, Typed } from './command.ts';
import { commands } from './commands.ts';
import type { OptionHelp } from './option.ts';
import { defaultDataDirectory, type Place } from './stack.ts';
import { didYouMean } from './suggestion.ts';
import { UsageError } from './usage-error.ts';

export interface Typing {
  readonly name: string;
  readonly command: Command;
  readonly typed: Typed;
  readonly place: Place;
}

/** Options of every command that works on a stack. */
export const placeOptions = {
  data: {
    placeholder: 'DIR',
    summary: `the local stack's directory; ${defaultDataDirectory} by default`,
    example: './other',
    isRequired: false,
  },
  stack: {
    placeholder: 'NAME',
    summary: 'a deployed stack, with the AWS credentials of your shell',
    example: 'PatientInvoicePaymentSandbox',
    isRequired: false,
  },
} satisfies Record<string, OptionHelp>;

const flags = ['json', 'help'];

type Request = { readonly help: true; readonly name: string | undefined } | ({ readonly help: false } & Typing);

/** Throws a UsageError that says which word is wrong. */
export function readArguments(args: string[]): Request {
  const options = [...[...commands.values()].map((each) => each.options), placeOptions].flatMap(
    Object.entries<OptionHelp>,
  );
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: {
      ...Object.fromEntries(
        options.map(([name, { isFlag }]) => [name, { type: isFlag ? 'boolean' : 'string' } as const]),
      ),
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [name, ...others] = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  if (given.some((option) => option.name === 'help')) return { help: true, name };
  if (name === 'help') return { help: true, name: others[0] };
  if (name === undefined) throw new UsageError('Name a command, such as `list`.');
  const command = findCommand(name);
  const typed = valuesOf(name, command, given);
  const [surplus] = others;
  if (surplus !== undefined)
    throw new UsageError(`Unexpected argument "${surplus}". Put a value with spaces in quotes.`, name);
  const { data, stack, ...own } = typed;
  if (data !== undefined && stack !== undefined) throw new UsageError('Give --data or --stack, not both.', name);
  return { help: false, name, command, typed: own, place: { data: data ?? defaultDataDirectory, stack } };
}

export function findCommand(name: string): Command {
  const found = commands.get(name);
  if (found) return found;
  const guess = didYouMean(name, [...commands.keys()], (each) => `\`${each}\``);
  throw new UsageError(`There is no command "${name}".${guess}`);
}

interface GivenOption {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function valuesOf(name: string, command: Command, given: readonly GivenOption[]): Record<string, string> {
  const known: Readonly<Record<string, OptionHelp>> = { ...command.options, ...placeOptions };
  const values: Record<string, string> = {};
  for (const { name: option, rawName, value, inlineValue } of given) {
    if (flags.includes(option)) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value.`, name);
      continue;
    }
    const help = Object.hasOwn(known, option) ? known[option] : undefined;
    if (!help)
      throw new UsageError(
        `${name} has no option ${rawName}.${didYouMean(option, [...Object.keys(known), ...flags], (each) => `--${each}`)}`,
        name,
      );
    if (help.isFlag) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value.`, name);
      values[option] = 'true';
      continue;
    }
    // A value with a dash is more likely the next option. `--name=-x` passes it anyway.
    if (value === undefined || value === '' || (inlineValue === false && value.startsWith('-')))
      throw new UsageError(`${rawName} needs a value: ${help.summary}, such as ${help.example}.`, name);
    if (option in values) throw new UsageError(`Give ${rawName} once.`, name);
    values[option] = value;
  }
  return values;
}
