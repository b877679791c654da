import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

// Of its own: it must be cold.
let service: TestStack;
let busyPrograms: ChildProcess[];

beforeEach(async () => {
  service = await startTestStack();
  const bounded = 'for (const end = Date.now() + 60_000; Date.now() < end; );';
  busyPrograms = [1, 2].map(() => spawn(process.execPath, ['--eval', bounded], { stdio: 'ignore' }));
});
afterEach(async () => {
  for (const program of busyPrograms) program.kill('SIGKILL');
  await service.stop();
});

it('a cold stack answers a burst of creates without a 5xx while other programs keep two cores busy', async () => {
  const created = await Promise.allSettled(Array.from({ length: 60 }, () => service.createSession()));
  expect(created.filter(({ status }) => status !== 'fulfilled')).toEqual([]);
});
