import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import {
  createFunctionLog,
  createFunction,
  type FinishedInvocation,
  type LocalFunction,
} from '../../lib/local/functions.ts';
import { startLimit } from '../../lib/local/environment-pool.ts';

export function testFunctions({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const directory = mkdtempSync(join(tmpdir(), 'local-functions-'));
  const warnings: string[] = [];
  const log = createFunctionLog(directory, (line) => warnings.push(line));
  const starts = startLimit();
  const finished: FinishedInvocation[] = [];
  const created: LocalFunction[] = [];
  onTestFinished(async () => {
    await Promise.all(created.map((fn) => fn.stop()));
    await log.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function create(
    source: string,
    properties: { Timeout?: number; MemorySize?: number; ReservedConcurrentExecutions?: number } = {},
  ): LocalFunction {
    const key = `code${created.length}`;
    mkdirSync(join(directory, `asset.${key}`));
    writeFileSync(join(directory, `asset.${key}`, 'index.js'), source);
    const Code = { S3Bucket: 'b', S3Key: `${key}.zip` };
    const fn = createFunction(
      {
        logicalId: 'Fn',
        name: 'fn',
        properties: { Code, Handler: 'index.handler', Runtime: 'nodejs24.x', ...properties },
      },
      {
        assetDirectory: directory,
        arn: 'arn:fn',
        baseEnvironment: {},
        log,
        starts,
        onInvocation: (invocation) => finished.push(invocation),
      },
    );
    created.push(fn);
    return fn;
  }
  return { create, finished, warnings, logPath: log.path('fn'), path: (name: string) => join(directory, name) };
}
