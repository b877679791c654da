import { isTransient } from '../../functions/aws-failure.ts';
import { Problem } from '../../functions/contract/problem.ts';
import { PaymentConnectionError, PaymentProblem } from '../../web/client/index.ts';
import { findCommand, readArguments, type Typing } from './arguments.ts';
import type { Terminal } from './command.ts';
import { commandHelp, helpText, program } from './help.ts';
import { printable } from './layout.ts';
import { inputErrors, problemText } from './problem-text.ts';
import { OperatorError, openStack } from './stack.ts';
import { UsageError } from './usage-error.ts';

export type ExitCode = 0 | 1 | 2;

/** Runs what was typed after `practice`. */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<ExitCode> {
  const json = args.includes('--json');
  try {
    const request = readArguments(args);
    if (!request.help) return await runCommand(request, json, terminal);
    const { name } = request;
    terminal.print(name === undefined ? helpText(terminal) : commandHelp(name, findCommand(name), terminal));
    return 0;
  } catch (error) {
    const { message, code, exitCode, help } = explained(error);
    if (json) terminal.print(jsonLine({ error: message, code }));
    else
      terminal.note(
        [...message.split('\n'), ...(help === undefined ? [] : [`Help: ${help}`])].map(printable).join('\n'),
      );
    return exitCode;
  }
}

async function runCommand(
  { name, command, typed, place }: Typing,
  json: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const context = { place, terminal, json, now: Date.now(), openStack: () => openStack(place) };
    const outcome = await command.run(context, typed);
    if (outcome.result) terminal.print(json ? jsonLine(outcome.result) : outcome.show(terminal));
    return outcome.failed ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = inputErrors(error, command, typed);
    if (errors !== undefined) throw new UsageError(errors, name);
    throw new ExplainedProblem(problemText(error, { typed, place }), error.code);
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
  /** The help command that says more. */
  readonly help?: string;
}

/** Repeating is not always safe: it would create a second practice or key. */
const unanswered =
  'The database or another service of the stack did not answer. A part of the command may be done: look before you run it again.';

function explained(error: unknown): Explanation {
  if (error instanceof UsageError) {
    const { message, command } = error;
    return { message, code: 'usage', exitCode: 2, help: [program, 'help', ...(command ? [command] : [])].join(' ') };
  }
  if (error instanceof ExplainedProblem || error instanceof PaymentProblem || error instanceof OperatorError)
    return { message: error.message, code: error.code, exitCode: 1 };
  if (error instanceof PaymentConnectionError)
    return { message: `The API did not answer. ${error.message}`, code: 'api_unreachable', exitCode: 1 };
  if (isTransient(error)) return { message: unanswered, code: 'stack_unreachable', exitCode: 1 };
  const reason = error instanceof Error ? error.message : 'unknown error';
  return { message: `The command failed: ${reason}`, code: 'command_failed', exitCode: 1 };
}
