import * as z from 'zod/mini';
import type { Author } from '../../functions/domain/audit-entry.ts';
import { parseInput } from '../../functions/practices/parse-input.ts';
import { describe, type Page } from './layout.ts';
import { helpOf, type OptionHelp } from './option.ts';
import type { OperatedStack, Place } from './stack.ts';

/** As typed: `--link-lifetime-days 7` is `link-lifetime-days: '7'`. */
export type Typed = Readonly<Record<string, string>>;

export interface Terminal extends Page {
  /** Adds a line to the output. */
  print(line: string): void;
  /** Adds a line beside the output: not for programs. */
  note(line: string): void;
  /** What is typed as an answer; undefined at the end of the input. */
  ask(question: string): Promise<string | undefined>;
  /** From now on Ctrl-C does not kill: it aborts the signal. */
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
  /** Undefined if everything is printed already. */
  readonly result: object | undefined;
  show(page: Page): string;
  /** The command did what was asked, and it did not go well. */
  readonly failed?: boolean;
}

export type Group = 'Practices' | 'API keys' | 'Webhooks' | 'Dashboard' | 'Sandbox' | 'Operations';

interface About<Shape> {
  readonly group: Group;
  /** A sentence. */
  readonly summary: string;
  readonly options: Shape;
}

export interface Command extends About<Readonly<Record<string, OptionHelp>>> {
  run(context: Context, typed: Typed): Promise<Outcome>;
}

export type Given<Shape extends z.core.$ZodShape> = z.output<z.ZodMiniObject<Shape, z.core.$strict>>;

interface OfStack<Shape extends z.core.$ZodShape, Result extends object> extends About<Shape> {
  run(stack: OperatedStack, options: Given<Shape>, now: number): Promise<Result>;
  /** Its fields by default. */
  show?(result: Result, page: Page): string;
  failed?(result: Result): boolean;
  /** Runs after the command, with its typed options. */
  after?(stack: OperatedStack, options: Given<Shape>, result: Result): Promise<void>;
}

/** The schemas only convert texts; the use case checks bounds. */
export function command<Shape extends z.core.$ZodShape, Result extends object>(spec: OfStack<Shape, Result>): Command {
  const { show = (result, page) => describe(page, result) } = spec;
  return freeCommand({
    ...spec,
    run: async ({ openStack, now }, options) => {
      const stack = await openStack();
      const result = await spec.run(stack, options, now);
      await spec.after?.(stack, options, result);
      return { result, show: (page) => show(result, page), failed: spec.failed?.(result) ?? false };
    },
  });
}

/** A command that opens by itself what it needs. */
export function freeCommand<Shape extends z.core.$ZodShape>({
  group,
  summary,
  options: shape,
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
    run: async (context, typed) => run(context, parseInput(schema, typed)),
  };
}

/** Of every change that the command makes. */
export const author: Author = { kind: 'operator' };
