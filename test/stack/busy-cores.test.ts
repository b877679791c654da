import { spawn, type ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let test: TestStack;
let busyPrograms: ChildProcess[];

beforeEach(async () => {
  test = await startTestStack();
  const bounded = 'for (const end = Date.now() + 60_000; Date.now() < end; );';
  busyPrograms = [1, 2].map(() => spawn(process.execPath, ['--eval', bounded], { stdio: 'ignore' }));
});
afterEach(async () => {
  for (const program of busyPrograms) program.kill('SIGKILL');
  await test.stop();
});

it('a cold stack answers a burst of creates without a 5xx while other programs keep two cores busy', async () => {
  const statuses = await Promise.all(Array.from({ length: 60 }, (_, number) => create(`INV-${number}`)));
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
}, 60_000);

async function create(invoiceId: string): Promise<number> {
  const { status } = await fetch(`${test.apiUrl}/api/practice/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${test.practice.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ invoiceId, amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } }),
  });
  return status;
}
