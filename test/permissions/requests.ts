import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { queueVariables, tableVariables } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    readonly Description?: string;
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
}

interface Names {
  readonly mode: Mode;
  /** The file of each function, by its logical id. */
  readonly fileOf: ReadonlyMap<string, string>;
  /** The queues that each function has the address of, by the function's logical id. */
  readonly queuesOf: ReadonlyMap<string, readonly string[]>;
  /** Turns `dynamodb:GetItem on DataEvents1A2B3C4D` into `dynamodb:GetItem on events`. */
  plain(action: string): string;
}

const variables = [...Object.entries(tableVariables), ...Object.entries(queueVariables)];

/** What the code calls a template's functions, tables and queues. */
export function namesIn(template: unknown): Names {
  const { Resources } = template as { Resources: Record<string, Resource> };
  const fileOf = new Map<string, string>();
  const queuesOf = new Map<string, string[]>();
  const nameOf = new Map<string, string>();
  for (const [id, { Type, Properties: { Description = '', Environment } = {} }] of Object.entries(Resources)) {
    // CDK's own function has no variables.
    if (Type !== 'AWS::Lambda::Function' || !Environment) continue;
    fileOf.set(id, Description);
    const own = Object.keys(Environment.Variables);
    queuesOf.set(
      id,
      Object.entries(queueVariables).flatMap(([queue, variable]) => (own.includes(variable) ? [queue] : [])),
    );
    for (const [name, variable] of variables) {
      const { Ref } = Object(Environment.Variables[variable]) as { Ref?: string };
      if (Ref !== undefined) nameOf.set(Ref, name);
    }
  }
  return {
    mode: [...fileOf.values()].some((file) => file.includes('/live/')) ? 'live' : 'sandbox',
    fileOf,
    queuesOf,
    plain: (action) => action.replace(/(?<= on )\w+/, (id) => nameOf.get(id) ?? id),
  };
}

/** What a function asked of DynamoDB on a stack with enforced permissions. */
export interface ObservedRequest {
  readonly mode: string;
  readonly file: string;
  readonly action: string;
  readonly refused: boolean;
}

const written = new Set<string>();

/** Writes down what each function asks for, once, for the test that runs last. */
export function recordRequests(
  template: unknown,
): (caller: string, actions: readonly string[], refused: readonly string[]) => void {
  // Outside vitest, as in a benchmark, nobody reads it.
  if (process.env['VITEST'] === undefined) return () => {};
  const path = join(inject('requests'), `${process.pid}.jsonl`);
  const { mode, fileOf, plain } = namesIn(template);
  return (caller, actions, refused) => {
    const file = fileOf.get(caller);
    if (file === undefined) return;
    for (const action of actions) {
      const request: ObservedRequest = {
        mode,
        file,
        action: plain(action).replace('dynamodb:', ''),
        refused: refused.includes(action),
      };
      const line = `${JSON.stringify(request)}\n`;
      if (written.has(line)) continue;
      written.add(line);
      appendFileSync(path, line);
    }
  };
}

/** Of all processes. */
export function observedRequests(): ObservedRequest[] {
  const directory = inject('requests');
  const lines = globSync('*.jsonl', { cwd: directory }).flatMap((name) =>
    readFileSync(join(directory, name), 'utf8').trim().split('\n'),
  );
  return [...new Set(lines)].map((line) => JSON.parse(line) as ObservedRequest);
}
