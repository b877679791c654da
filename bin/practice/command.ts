import * as z from 'zod';
import type { Author } from '../../functions/domain/team/audit-entry.ts';
import { parseInput } from '../../functions/practices/parse-input.ts';
import { describe, type Page } from './layout.ts';
import type { OptionSchemas } from './option.ts';
import type { OperatedStack, Place } from './stack.ts';

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
  readonly group: 'Practices' | 'API keys' | 'Webhooks' | 'Dashboard' | 'Sandbox' | 'Operations';
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
  run(stack: OperatedStack, options: OptionValues<Options>, now: number, terminal: Terminal): Promise<Result>;
  /** Shows the result's fields by default. */
  show?(result: Result, page: Page): string;
  failed?(result: Result): boolean;
  /** Runs after the command. */
  after?(stack: OperatedStack, options: OptionValues<Options>, result: Result): Promise<void>;
}

/** A command that works on a stack. Its schemas only convert texts; the use case checks the bounds. */
export function command<Options extends OptionSchemas, Result extends object>(
  definition: StackCommand<Options, Result>,
): PracticeCommand {
  const { show = (result, page) => describe(page, result) } = definition;
  return freeCommand({
    ...definition,
    run: async ({ openStack, now, terminal }, options) => {
      const stack = await openStack();
      const result = await definition.run(stack, options, now, terminal);
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
