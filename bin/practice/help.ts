import { placeOptions } from './arguments.ts';
import type { Command, Group } from './command.ts';
import { commands } from './commands.ts';
import { wrap, type Page } from './layout.ts';
import type { OptionHelp } from './option.ts';
import { shellWord } from './stack.ts';

export const program = 'npm run -s practice --';

const groups: readonly Group[] = ['Practices', 'API keys', 'Webhooks', 'Dashboard', 'Sandbox', 'Operations'];
const widest = 100;

const everywhere: readonly (readonly [string, string])[] = [
  ['--json', 'one JSON object, for programs; for an error {"error": …, "code": …}'],
  ['--help', 'this help'],
];

export function helpText(page: Page): string {
  const sections = groups.map((group) => {
    const own = [...commands].filter(([, command]) => command.group === group);
    return section(
      page,
      group,
      own.map(([name, { summary }]) => [name, summary] as const),
    );
  });
  return [
    `Usage: ${program} <command> [options]`,
    ...sections,
    section(page, 'Options of every command', [...linesOf(placeOptions), ...everywhere]),
    `\`help <command>\` lists the options of a command.\nExit codes: 0 done, 1 failed, 2 wrong usage.`,
  ].join('\n\n');
}

export function commandHelp(name: string, { summary, options, alsoInExample }: Command, page: Page): string {
  const required = Object.entries(options).filter(([, { isRequired }]) => isRequired);
  const optional = Object.entries(options).filter(([, { isRequired }]) => !isRequired);
  const usage = [
    ...required.map(([option, { placeholder }]) => `--${option} ${placeholder}`),
    ...(optional.length > 0 ? ['[options]'] : []),
  ];
  const example = Object.entries(options).flatMap(([option, { isRequired, example: value }], index) =>
    isRequired || (required.length === 0 && index === 0 && alsoInExample === undefined)
      ? [[`--${option}`, ...(value ? [shellWord(value)] : [])].join(' ')]
      : [],
  );
  return [
    wrap(summary, widthOf(page), ''),
    `Usage: ${[program, name, ...usage].join(' ')}`,
    ...(required.length > 0 ? [section(page, 'Required', linesOf(Object.fromEntries(required)))] : []),
    ...(optional.length > 0 ? [section(page, 'Options', linesOf(Object.fromEntries(optional)))] : []),
    section(page, 'Options of every command', [...linesOf(placeOptions), ...everywhere]),
    `Example: ${[program, name, ...example, ...(alsoInExample === undefined ? [] : [alsoInExample])].join(' ')}`,
  ].join('\n\n');
}

function linesOf(options: Readonly<Record<string, OptionHelp>>): (readonly [string, string])[] {
  return Object.entries(options).map(([name, { placeholder, summary, example, isFlag }]) =>
    isFlag
      ? ([`--${name}`, summary] as const)
      : ([`--${name} ${placeholder}`, `${summary} (e.g. ${example})`] as const),
  );
}

function section(page: Page, title: string, lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...lines.map(([left]) => left.length));
  const indent = ' '.repeat(width + 4);
  const shown = lines.map(([left, right]) => `  ${left.padEnd(width)}  ${wrap(right, widthOf(page), indent)}`);
  return [page.style('bold', title), ...shown].join('\n');
}

function widthOf({ width }: Page): number {
  return Math.min(Math.max(width, 40), widest);
}
