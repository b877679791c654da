import { runCommandLine, type ExitCode } from '../../bin/practice/command-line.ts';
import type { Terminal } from '../../bin/practice/command.ts';
import { commands } from '../../bin/practice/program.ts';
import { flagOf, type OperatedStack } from '../../bin/practice/stack.ts';

export async function runCommand<Answer = Record<string, unknown>>(
  operated: OperatedStack,
  name: string,
  typed: Record<string, string> = {},
): Promise<Answer> {
  const { terminal } = captured();
  const place = { data: '.local', stack: undefined };
  const context = { place, terminal, json: true, now: Date.now(), openStack: async () => operated };
  const outcome = await commands.get(name)?.run(context, optionsOf(name, typed));
  return JSON.parse(JSON.stringify(outcome?.result)) as Answer;
}

/** The options by their names in the command. `typed` has the flags' words: `practice` for `--practice`. */
export function optionsOf(name: string, typed: Record<string, string>): Record<string, string> {
  const names = Object.keys(commands.get(name)?.options ?? {});
  const flagFor = (word: string) => `--${word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return Object.fromEntries(
    Object.entries(typed).map(([word, value]) => [names.find((each) => flagOf(each) === flagFor(word)) ?? word, value]),
  );
}

interface Printed {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runLine(args: string[], width?: number): Promise<Printed> {
  const { terminal, printed } = captured(width);
  const exitCode = await runCommandLine(args, terminal);
  return { exitCode, stdout: printed.stdout.join(''), stderr: printed.stderr.join('') };
}

/** The output on a terminal of this width or, if there is none, in a pipe. */
export function captured(
  width = Infinity,
  answers: string[] = [],
): {
  terminal: Terminal;
  printed: { stdout: string[]; stderr: string[] };
  interrupt: () => void;
} {
  const printed = { stdout: [] as string[], stderr: [] as string[] };
  const interruption = new AbortController();
  const terminal = {
    width,
    style: (_: unknown, text: string) => text,
    print: (line: string) => printed.stdout.push(`${line}\n`),
    note: (line: string) => printed.stderr.push(`${line}\n`),
    ask: async (question: string) => {
      printed.stderr.push(question);
      return answers.shift();
    },
    onInterrupt: () => interruption.signal,
  };
  return { terminal, printed, interrupt: () => interruption.abort() };
}
