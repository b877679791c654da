import { Command, Option } from 'commander';
import * as z from 'zod';
import { type PracticeCommand, type Terminal, helpOf, type OptionSchemas } from './command.ts';
import { defaultDataDirectory, flagOf, type Place } from './stack.ts';
import { auditLog, userCommands, keyCommands } from './access-commands.ts';
import { deliveryCommands } from './delivery-commands.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { leavingCommands } from './leaving-commands.ts';
import { sandboxCommands } from './sandbox-commands.ts';
import { operationCommands } from './operation-commands.ts';
import { platformCommands } from './platform-commands.ts';
import { practiceCommands } from './practice-commands.ts';

/** In the order that the help lists them. */
export const commands: ReadonlyMap<string, PracticeCommand> = new Map(
  Object.entries({
    ...practiceCommands,
    'audit-log': auditLog,
    ...leavingCommands,
    ...platformCommands,
    ...keyCommands,
    ...endpointCommands,
    ...deliveryCommands,
    ...userCommands,
    ...sandboxCommands,
    ...operationCommands,
  }),
);

const place = z.object({ data: z.string().default(defaultDataDirectory), stack: z.string().optional() });

export interface TypedCommand {
  readonly command: PracticeCommand;
  readonly options: Readonly<Record<string, unknown>>;
  readonly place: Place;
}

const widest = 100;

/** Prints help by itself. Throws commander's error for wrong usage. */
export function practiceProgram(
  { width, style, print }: Pick<Terminal, 'width' | 'style' | 'print'>,
  run: (typed: TypedCommand) => Promise<void>,
): Command {
  const program = new Command('npm run -s practice --')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      // Whoever catches the error prints it.
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(width, widest),
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => style('bold', title) })
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong usage.');
  const data = new Option('--data <DIR>', `the local stack's directory; ${defaultDataDirectory} by default`);
  const stack = new Option('--stack <NAME>', 'a deployed stack, with the AWS credentials of your shell');
  program
    .addOption(withValue(program, data))
    .addOption(withValue(program, stack.conflicts('data')))
    .option('--json', 'one JSON object, for programs; for an error {"error": …, "code": …}');
  for (const [name, command] of commands) {
    const added = program.command(name).helpGroup(`${command.group}:`).description(command.summary);
    addOptions(added, command.options);
    added.action(() => run({ command, options: added.opts(), place: place.parse(program.opts()) }));
  }
  return program;
}

function addOptions(command: Command, options: OptionSchemas): void {
  const required: string[] = [];
  for (const [name, schema] of Object.entries(options)) {
    const { placeholder, summary, example } = helpOf(schema);
    const flags = placeholder === undefined ? flagOf(name) : `${flagOf(name)} <${placeholder}>`;
    const option = new Option(flags, example === undefined ? summary : `${summary} (e.g. ${example})`);
    option.attributeName = () => name;
    const isRequired = !z.safeParse(schema, undefined).success;
    if (isRequired) required.push(flags);
    option.makeOptionMandatory(isRequired).helpGroup(isRequired ? 'Required:' : 'Options:');
    command.addOption(placeholder === undefined ? option : withValue(command, option));
  }
  command.usage([...required, '[options]'].join(' '));
}

/** Refuses what is probably a slip: a second value, an empty one, or the next option in its place. */
function withValue(command: Command, option: Option): Option {
  return option.argParser((value: string, previous: string | undefined) => {
    if (previous !== undefined) command.error(`give option '${option.flags}' once`);
    if (value === '' || value.startsWith('--')) command.error(`option '${option.flags}' argument missing`);
    return value;
  });
}
