import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../functions/domain/webhook-signature.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';

const root = join(import.meta.dirname, '../..');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function readmeReceiver(): string {
  const [, source] = /```ts receiver\.ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  if (source === undefined) throw new Error('the README has no receiver');
  return source;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let receiver: { url: string; stop(): Promise<string> };
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'payment-receiver-'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'receiver.ts'), readmeReceiver());
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  const port = await freePort();
  const child = spawn(process.execPath, ['receiver.ts'], { cwd: directory, env: { PORT: String(port), WEBHOOK_SECRET: secret }, stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  receiver = {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      child.kill();
      const lines = await printed;
      await rm(directory, { recursive: true, force: true });
      return lines;
    },
  };
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await wait(20)) if ((await send('{}', {})).statusCode !== undefined) return;
  throw new Error('the receiver did not start');
});

const send = (body: string, headers: Record<string, string>) => postWebhook({ url: receiver.url, body, headers }, true);
const signed = (body: string, signedBody = body) => send(body, signatureHeaders({ eventId: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body: signedBody, secrets: [secret] }));

describe("the README's receiver", () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'session.payment.succeeded', data: { invoiceId: 'INV-1043', status: 'succeeded', metadata: { note: 'é 😀' } } });
  afterAll(() => receiver.stop());

  it('takes a signed webhook once, answers 204 each time, and 400 to what is unsigned or changed', async () => {
    expect(await signed(body)).toMatchObject({ statusCode: 204 });
    expect(await signed(body)).toMatchObject({ statusCode: 204 });
    expect(await signed(body.replace('1043', '1044'), body)).toMatchObject({ statusCode: 400 });
    expect(await send(body, {})).toMatchObject({ statusCode: 400 });
    expect(await receiver.stop()).toBe('session.payment.succeeded INV-1043 succeeded\n');
  });
});
