import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port on this machine, for a process that a test starts. It is below those that systems give to whoever asks for any,
 * so that nobody else gets it in the meantime.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
