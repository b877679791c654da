import { CommanderError, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { isTransient } from '../../functions/aws-failure.ts';
import { Problem } from '../../functions/contract/problem.ts';
import { PaymentConnectionError, PaymentProblem } from '../../web/client/index.ts';
import { type Terminal, type PracticeCommand, helpOf } from './command.ts';
import { printable } from './layout.ts';
import { practiceProgram, type TypedCommand } from './program.ts';
import { OperatorError, flagOf, openStack, suggested, targetOf } from './stack.ts';
import { requestErrors } from '../../functions/contract/request-errors.ts';

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

/** JSON without terminal control characters. */
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
  'The database or another service of the stack did not answer. The command may be partly done: check before you run it again.';

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

interface Remedy {
  readonly says: string;
  readonly command: string;
  /** The typed options to repeat in the command. */
  readonly options: readonly string[];
}

const ofPractice = ['practiceId'];
const ofEndpoint = ['practiceId', 'endpointId'];

const remedies: Partial<Record<Problem['code'], Remedy>> = {
  practice_not_found: { says: 'All practices', command: 'list', options: [] },
  api_key_not_found: { says: 'Its keys', command: 'list-keys', options: ofPractice },
  webhook_endpoint_not_found: { says: 'Its endpoints', command: 'list-webhooks', options: ofPractice },
  webhook_endpoint_disabled: { says: 'To enable it', command: 'enable-webhook', options: ofEndpoint },
  delivery_in_progress: { says: 'The result will be in', command: 'deliveries', options: ofEndpoint },
};

/** The problem's message and, if a command can help, that command. */
function problemText({ code, message }: Problem, { options, place }: Pick<TypedCommand, 'options' | 'place'>): string {
  if (code === 'contact_required') return `${message} Use --support-phone or --support-email.`;
  const remedy = remedies[code];
  if (!remedy) return message;
  const repeated = remedy.options.flatMap((name) => {
    const typed = options[name];
    return typeof typed === 'string' ? [[name, typed] as const] : [];
  });
  return `${message}\n${remedy.says}: ${suggested(remedy.command, Object.fromEntries(repeated), targetOf(place))}`;
}

/** The options that a problem can be about. */
const blamed: Partial<Record<Problem['code'], readonly string[]>> = {
  logo_not_accepted: ['logo'],
  queue_not_found: ['queue'],
  since_in_future: ['since', 'disabledSince'],
  webhook_url_not_allowed: ['url', 'webhookUrl'],
};

const faultyInput = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });

/** One line per wrong option. Undefined if the options are not to blame. */
export function inputErrors(
  problem: Problem,
  { options }: Pick<PracticeCommand, 'options'>,
  typed: Readonly<Record<string, unknown>>,
): string | undefined {
  const wrong = blamed[problem.code]?.find((name) => typed[name] !== undefined);
  if (wrong !== undefined) return `${flagOf(wrong)} is wrong. ${problem.message}`;
  if (problem.code !== 'invalid_request') return undefined;
  const { data } = faultyInput.safeParse(problem.extra);
  const faulty = data?.errors.filter(({ pointer }) => pointer !== '') ?? [];
  if (faulty.length === 0) return problem.message;
  const lines = faulty.map(({ pointer, detail }) => {
    const name = pointer.split('/')[1] ?? '';
    const schema = options[name];
    if (!schema || !generic.has(detail)) return `${flagOf(name)} is wrong. ${detail}`;
    const { summary, example } = helpOf(schema);
    return `${flagOf(name)} is wrong. It takes ${summary}, such as ${example}.`;
  });
  return [...new Set(lines)].join('\n');
}

const generic = new Set<string>(Object.values(requestErrors));
