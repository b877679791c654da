import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { queueVariables, tableVariables } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { nameOf, requestName } from '../../lib/local/permissions/access-requests.ts';
import type { Decision } from '../../lib/local/permissions/decision.ts';

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
  /** The queues whose address each function has, by the function's logical ID. */
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
  const names = new Map<string, string>();
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
      if (Ref !== undefined) names.set(Ref, name);
    }
  }
  return {
    mode: [...fileOf.values()].some((file) => file.includes('/live/')) ? 'live' : 'sandbox',
    fileOf,
    queuesOf,
    plain: (action) => action.replace(/(?<= on )\w+/, (id) => names.get(id) ?? (id.includes('EventsBus') ? 'bus' : id)),
  };
}

/** A request that a function made to AWS on a stack with enforced permissions. */
export interface ObservedRequest {
  readonly mode: string;
  readonly file: string;
  /** Leaves out `dynamodb:`. */
  readonly action: string;
  readonly refused: boolean;
}

/** The grant that allowed a function's request. */
export interface UsedGrant {
  readonly file: string;
  readonly grant: string;
}

const written = new Set<string>();

/** Records each request of a function, and the grant that allows it, once, for the test that runs last. */
export function recordDecisions(template: unknown): (decision: Decision) => void {
  // Outside vitest, as in a benchmark, nobody reads it.
  if (process.env['VITEST'] === undefined) return () => {};
  const path = join(inject('requests'), `${process.pid}.jsonl`);
  const { mode, fileOf, plain } = namesIn(template);
  return ({ call, requests, refused, used }) => {
    const file = fileOf.get(call.caller);
    if (file === undefined) return;
    const write = (key: string, line: () => ObservedRequest | UsedGrant) => {
      if (written.has(key)) return;
      written.add(key);
      appendFileSync(path, `${JSON.stringify(line())}\n`);
    };
    for (const each of requests) {
      const isRefused = refused.includes(each);
      write(`${mode} ${file} ${each.action} ${each.resources[0]} ${isRefused}`, () => {
        const action = plain(requestName(each)).replace('dynamodb:', '');
        return { mode, file, action, refused: isRefused };
      });
    }
    for (const { action, resource } of used)
      write(`${mode} ${file} ${action} by ${resource}`, () => ({ file, grant: plain(nameOf(action, resource)) }));
  };
}

/** The observations of all processes. */
export function observations(): { requests: ObservedRequest[]; grants: UsedGrant[] } {
  const directory = inject('requests');
  const lines = globSync('*.jsonl', { cwd: directory }).flatMap((name) =>
    readFileSync(join(directory, name), 'utf8').trim().split('\n'),
  );
  const all = [...new Set(lines)].map((line) => JSON.parse(line) as ObservedRequest | UsedGrant);
  return { requests: all.filter((each) => 'action' in each), grants: all.filter((each) => 'grant' in each) };
}
