import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { namesIn } from './names.ts';

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
