import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { endGroup, startGroup } from './clone.ts';

export interface Run {
  readonly name: string;
  readonly isGreen: boolean;
  readonly seconds: number;
  /** The CPU time of all processes that the run has waited for. */
  readonly cpuSeconds: number;
  readonly passed: number;
  /** Names of tests, or of files that could not be run. */
  readonly failed: readonly string[];
  /** Removed if the run was green. */
  readonly log: string;
}

const report = z.object({
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

interface Suite {
  readonly name: string;
  readonly directory: string;
  readonly prefix: readonly string[];
  readonly options: readonly string[];
}

export async function runSuite({ name, directory, prefix, options }: Suite): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-speed-log-'));
  const [log, json, times] = [join(folder, 'log'), join(folder, 'report.json'), join(folder, 'times')];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`];
  const vitest = ['npm', 'test', '--', ...reporters, ...options];
  const startedAt = performance.now();
  await using file = await open(log, 'w');
  const command = [...prefix, 'bash', '-c', timed, 'bash', times, ...vitest];
  const suite = startGroup(command, { cwd: directory, stdio: ['ignore', file.fd, file.fd] });
  const [exitCode] = (await once(suite, 'exit')) as [number | null];
  const seconds = (performance.now() - startedAt) / 1000;
  await endGroup(suite);
  const { passed, failed } = await resultsIn(json, directory);
  const isGreen = exitCode === 0 && failed.length === 0;
  const run = { name, isGreen, seconds, cpuSeconds: await sumIn(times), passed, failed, log };
  if (isGreen) await rm(folder, { recursive: true });
  return run;
}

/** Writes the seconds in user and system mode into the file that is its first argument. */
const timed = 'file=$1; shift; TIMEFORMAT="%U %S"; { time "$@" 2>&3; } 3>&2 2>"$file"';

async function sumIn(file: string): Promise<number> {
  const numbers = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ').map(Number);
  return numbers.reduce((sum, seconds) => sum + seconds, 0);
}

async function resultsIn(file: string, directory: string): Promise<Pick<Run, 'passed' | 'failed'>> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: ['no report'] };
  const { numPassedTests, testResults } = report.parse(JSON.parse(text));
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const path = name.replace(`${directory}/`, '');
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    // A file can fail without a test: it does not load, or a hook fails.
    if (status === 'failed' && tests.length === 0) return [path];
    return tests.map((test) => `${path}: ${test}`);
  });
  return { passed: numPassedTests, failed };
}
