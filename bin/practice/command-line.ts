import { CommanderError, InvalidArgumentError } from 'commander';
import { isTransient } from '../../functions/aws-failure.ts';
import { Problem } from '../../functions/contract/problem.ts';
import { PaymentConnectionError, PaymentProblem } from '../../web/client/index.ts';
import type { Terminal } from './command.ts';
import { printable } from './layout.ts';
import { inputErrors, problemText } from './problem-text.ts';
import { practiceProgram, type TypedCommand } from './program.ts';
import { OperatorError, openStack } from './stack.ts';

export type ExitCode = 0 | 1 | 2;

/** Runs what was typed after `practice`. */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<ExitCode> {
  const json = args.includes('--json');
  let exitCode: ExitCode = 0;
  const program = practiceProgram(terminal, async (typed) => {
    exitCode = await runCommand(typed, json, terminal);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Help was printed.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { message, code, exitCode } = explained(error);
    if (json) terminal.print(jsonLine({ error: message, code }));
    else
      terminal.note(
        [...message.split('\n'), ...(exitCode === 2 ? ['Add --help to see what it takes.'] : [])]
          .map(printable)
          .join('\n'),
      );
    return exitCode;
  }
}

async function runCommand(
  { command, options, place }: TypedCommand,
  json: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const context = { place, terminal, json, now: Date.now(), openStack: () => openStack(place) };
    const outcome = await command.run(context, options);
    if (outcome.result) terminal.print(json ? jsonLine(outcome.result) : outcome.show(terminal));
    return outcome.failed ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = inputErrors(error, command, options);
    if (errors !== undefined) throw new InvalidArgumentError(errors);
    throw new ExplainedProblem(problemText(error, { options, place }), error.code);
  }
}

/** JSON without characters that control a terminal. */
function jsonLine(value: object): string {
  return printable(JSON.stringify(value));
}

class ExplainedProblem extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

interface Explanation {
  readonly message: string;
  readonly code: string;
  readonly exitCode: ExitCode;
}

/** Repeating is not always safe: it would create a second practice or key. */
const unanswered =
  'The database or another service of the stack did not answer. A part of the command may be done: look before you run it again.';

function explained(error: unknown): Explanation {
  if (error instanceof CommanderError) {
    // Commander has no message for a missing command.
    const message = error.code === 'commander.help' ? 'name a command, such as list' : error.message;
    return { message: message.replace(/^error: /, ''), code: 'usage', exitCode: 2 };
  }
  if (error instanceof ExplainedProblem || error instanceof PaymentProblem || error instanceof OperatorError)
    return { message: error.message, code: error.code, exitCode: 1 };
  if (error instanceof PaymentConnectionError)
    return { message: `The API did not answer. ${error.message}`, code: 'api_unreachable', exitCode: 1 };
  if (isTransient(error)) return { message: unanswered, code: 'stack_unreachable', exitCode: 1 };
  const reason = error instanceof Error ? error.message : 'unknown error';
  return { message: `The command failed: ${reason}`, code: 'command_failed', exitCode: 1 };
}
