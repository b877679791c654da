import * as z from 'zod/mini';
import type { Author } from '../../functions/domain/team/audit-entry.ts';
import { parseInput } from '../../functions/practices/parse-input.ts';
import { describe, type Page } from './layout.ts';
import { helpOf, type OptionHelp } from './option.ts';
import type { OperatedStack, Place } from './stack.ts';

/** The options as typed: `--link-lifetime-days 7` becomes `'link-lifetime-days': '7'`. */
export type Typed = Readonly<Record<string, string>>;

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

export interface Outcome {
  /** Undefined if everything was printed already. */
  readonly result: object | undefined;
  show(page: Page): string;
  /** The command ran, but its result is a failure. */
  readonly failed?: boolean;
}

export type Group = 'Practices' | 'API keys' | 'Webhooks' | 'Dashboard' | 'Sandbox' | 'Operations';

interface About<Shape> {
  readonly group: Group;
  /** One sentence for the help. */
  readonly summary: string;
  readonly options: Shape;
  /** What the help's example adds to the required options. */
  readonly alsoInExample?: string;
}

export interface Command extends About<Readonly<Record<string, OptionHelp>>> {
  run(context: Context, typed: Typed): Promise<Outcome>;
}

export type Given<Shape extends z.core.$ZodShape> = z.output<z.ZodMiniObject<Shape, z.core.$strict>>;

interface OfStack<Shape extends z.core.$ZodShape, Result extends object> extends About<Shape> {
  run(stack: OperatedStack, options: Given<Shape>, now: number, terminal: Terminal): Promise<Result>;
  /** Shows the result's fields by default. */
  show?(result: Result, page: Page): string;
  failed?(result: Result): boolean;
  /** Runs after the command. */
  after?(stack: OperatedStack, options: Given<Shape>, result: Result): Promise<void>;
}

/** A command that works on a stack. Its schemas only convert texts; the use case checks the bounds. */
export function command<Shape extends z.core.$ZodShape, Result extends object>(spec: OfStack<Shape, Result>): Command {
  const { show = (result, page) => describe(page, result) } = spec;
  return freeCommand({
    ...spec,
    run: async ({ openStack, now, terminal }, options) => {
      const stack = await openStack();
      const result = await spec.run(stack, options, now, terminal);
      await spec.after?.(stack, options, result);
      return { result, show: (page) => show(result, page), failed: spec.failed?.(result) ?? false };
    },
  });
}

/** A command that opens a stack or an API itself, if it needs one. */
export function freeCommand<Shape extends z.core.$ZodShape>({
  group,
  summary,
  options: shape,
  alsoInExample,
  run,
}: About<Shape> & {
  run(context: Context, options: Given<Shape>): Promise<Outcome>;
}): Command {
  const schema = z.strictObject(shape);
  const options = Object.fromEntries(Object.entries(shape).map(([name, option]) => [name, helpOf(option)]));
  return {
    group,
    summary,
    options,
    ...(alsoInExample !== undefined && { alsoInExample }),
    run: async (context, typed) => run(context, parseInput(schema, typed)),
  };
}

/** The author of every change that the command makes. */
export const author: Author = { kind: 'operator' };
