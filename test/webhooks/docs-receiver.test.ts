import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testEventBody } from '../../functions/domain/webhooks/event.ts';
import { signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { installClient, samplesIn } from '../docs/pages.ts';
import { noPython, pythonEnvironment } from '../support/python.ts';
import { freePort } from '../support/server.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';

const root = join(import.meta.dirname, '../..');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The receiver as the docs show it, with the command that runs it. */
const receivers = [
  { file: 'receiver.mts', command: process.execPath, isHere: true },
  { file: 'receiver.py', command: 'python3', isHere: !noPython },
] as const;

function receiverInDocs(file: string): string {
  const samples = samplesIn(readFileSync(join(root, 'web/docs/webhooks.md'), 'utf8'));
  const source = samples.find(({ name }) => name === file)?.text;
  if (source === undefined) throw new Error(`the docs have no ${file}`);
  return source;
}

let receiver: { url: string; stop(): Promise<{ printed: string; warned: string }> };

async function start({ file, command }: (typeof receivers)[number]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-receiver-'));
  await writeFile(join(directory, 'package.json'), '{}');
  await writeFile(join(directory, file), receiverInDocs(file));
  await installClient(directory);
  const port = await freePort();
  const child = spawn(command, [file], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...pythonEnvironment, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  receiver = {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      child.kill();
      const [printed, warned] = await output;
      await rm(directory, { recursive: true, force: true });
      return { printed, warned };
    },
  };
  await vi.waitFor(async () => expect((await send('{}', {})).statusCode).toBeDefined(), {
    timeout: 40_000,
    interval: 20,
  });
}

const send = (body: string, headers: Record<string, string>) => postWebhook({ url: receiver.url, body, headers }, true);
const headersOf = (body: string) =>
  signatureHeaders({ eventId: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secrets: [secret] });
const signed = (body: string, signedBody = body) => send(body, headersOf(signedBody));

async function breakOff(): Promise<void> {
  const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{');
  // The receiver closes a connection whose request will never be complete.
  socket.resume();
  await once(socket, 'close');
}

describe.each(receivers)('$file in the docs', (shown) => {
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'session.payment.succeeded',
    data: { invoiceId: 'INV-1043', status: 'succeeded', metadata: { note: 'é 😀' } },
  });
  beforeAll(() => (shown.isHere ? start(shown) : undefined));
  afterAll(() => (shown.isHere ? receiver.stop() : undefined));

  it.skipIf(!shown.isHere)(
    'processes a webhook once, answers 204 each time, and answers 503 and says why if it cannot verify the signature',
    async () => {
      expect(await signed(body)).toMatchObject({ statusCode: 204 });
      expect(await signed(body)).toMatchObject({ statusCode: 204 });
      expect(await signed(body.replace('1043', '1044'), body)).toMatchObject({ statusCode: 503 });
      expect(await send(body, {})).toMatchObject({ statusCode: 503 });
      expect(await send(body, { ...headersOf(body), 'webhook-signature': 'v1' })).toMatchObject({ statusCode: 503 });
      expect(await signed('not JSON')).toMatchObject({ statusCode: 503 });
      const test = { eventId: 'evt_2', practiceId: 'prc_example', livemode: false };
      expect(await signed(testEventBody(test, '2026-11-20T10:00:00.000Z'))).toMatchObject({ statusCode: 204 });
      await breakOff();
      expect(await signed(body), 'after a request that was aborted').toMatchObject({ statusCode: 204 });
      const { printed, warned } = await receiver.stop();
      expect(printed).toBe('session.payment.succeeded INV-1043 succeeded\nwebhook.test\n');
      expect(warned).toMatch(/no signature/i);
      expect(warned).not.toMatch(/Traceback|^ +at /m);
    },
  );
});
