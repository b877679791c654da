import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../functions/store/database.ts';
import { throttles } from '../../lib/constructs/http-api.ts';
import { createPaymentClient } from '../../web/client/index.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { patientOf } from '../support/patient.ts';
import { storeEvent } from '../support/webhook-endpoint.ts';
import { nineBadReceivers, startBadReceiver } from './bad-receivers.ts';

// This file has its own stack: it must be cold at first, and its throttled routes and bad receivers would slow down other files.
let service: TestStack;
let created: PromiseSettledResult<unknown>[];
beforeAll(async () => {
  service = await startTestStack();
  // Runs before any test, because each test warms the stack.
  created = await createAtOnce();
});
afterAll(() => service.stop());

const burst = Array.from({ length: 60 }, (_, index) => `INV-BURST-${index}`);

/** Other programs keep two cores busy in the meantime. A slow machine answers some with 503, which the client retries. */
async function createAtOnce() {
  const bounded = 'for (const end = Date.now() + 60_000; Date.now() < end; );';
  const busyPrograms = [1, 2].map(() => spawn(process.execPath, ['--eval', bounded], { stdio: 'ignore' }));
  const { apiKey } = service.practice;
  const client = createPaymentClient({ apiUrl: service.apiUrl, apiKey, fetch: checkedFetch, maximumAttempts: 20 });
  const patient = { firstName: 'Ada', lastName: 'Okafor' };
  const answers = await Promise.allSettled(
    burst.map((invoiceId) => client.sessions.create({ invoiceId, amountCents: 18_250, patient })),
  );
  for (const program of busyPrograms) program.kill('SIGKILL');
  return answers;
}

it('a cold stack creates each session of a burst once while other programs keep two cores busy', async () => {
  expect(created.filter(({ status }) => status !== 'fulfilled')).toEqual([]);
  for (const invoiceId of burst) expect((await service.client.sessions.listPage({ invoiceId })).data).toHaveLength(1);
});

async function badPractice(kind: (typeof nineBadReceivers)[number]) {
  const receiver = await startBadReceiver(kind);
  const settings = { author, name: 'Hillside Dental', webhookUrl: receiver.url };
  const { practiceId } = await createPractice(service.operated, settings, Date.now());
  return { ...receiver, practiceId };
}

/** Whether another practice got its webhooks before a request that hangs timed out. */
async function arriveMeanwhile(): Promise<boolean> {
  const bad: Awaited<ReturnType<typeof badPractice>>[] = [];
  for (const kind of nineBadReceivers) bad.push(await badPractice(kind));
  const quiet: string[] = [];
  for (let count = 0; count < 5; count += 1) quiet.push((await service.createSession()).sessionId);
  const database = service.operated.database as Database;
  for (const { practiceId } of bad)
    await Promise.all(Array.from({ length: 8 }, () => storeEvent(database, practiceId, Date.now())));
  await expect.poll(() => bad.every(({ asking }) => asking.length > 0)).toBe(true);

  const hanging = bad.flatMap(({ kind, asking }) => (kind === 'hangs' ? asking : []));
  const open = hanging.filter(({ closed }) => !closed);
  await Promise.all(quiet.map((sessionId) => service.client.sessions.cancel(sessionId)));
  await Promise.all(quiet.map((sessionId) => service.receiver.waitFor('session.payment.cancelled', sessionId)));
  // Waiting for these requests means waiting until one of them times out.
  return open.length > 0 && open.every(({ closed }) => !closed);
}

it('webhooks arrive while nine receivers hang, drip, reset or flood, with eight events each', async () => {
  // A busy machine can take longer than a request may hang. Webhooks that wait arrive too late in every round.
  let rounds = 1;
  while (!(await arriveMeanwhile()) && rounds < 5) rounds += 1;
  expect(rounds).toBeLessThan(5);
});

/** Sends equal requests at once, on one connection, and returns all of the responses. */
async function flood(count: number, method: string, path: string): Promise<string> {
  const { hostname, port } = new URL(service.apiUrl);
  const socket = connect(Number(port), hostname);
  const answers = text(socket);
  const request = `${method} ${path} HTTP/1.1\r\nhost: x\r\n`;
  socket.write(`${request}\r\n`.repeat(count - 1) + `${request}connection: close\r\n\r\n`);
  return answers;
}

const statusesIn = (answers: string) =>
  new Set([...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status));

it('a flood of unknown paths is throttled and does not affect patients and practices', async () => {
  const { hostedUrl } = await service.createSession();
  const flooded = flood(3 * throttles.other.burst, 'GET', '/nowhere');
  const [patient, created] = await Promise.all([patientOf(hostedUrl).view(), service.createSession()]);
  expect([patient.status, created.sessionId]).toEqual([200, expect.stringMatching(/^ses_/)]);
  const answers = await flooded;
  expect(statusesIn(answers)).toEqual(new Set(['404', '429']));
  expect(answers).toContain('{"message":"Too Many Requests"}');
  expect((await patientOf(hostedUrl).view()).status).toBe(200);
});

it("a flood of the published API does not affect the pages' routes, which it does not serve", async () => {
  const patient = patientOf((await service.createSession()).hostedUrl);
  const flooded = flood(2 * throttles.patientActions.burst, 'POST', '/api/patient/session/open');
  const asked = [await patient.open(), await patient.open()];
  expect(statusesIn(await flooded)).toContain('429');
  asked.push(await patient.open());
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
});
