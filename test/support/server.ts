import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { randomInt } from 'node:crypto';
import { onTestFinished } from 'vitest';

/** Stops at the end of the test or, with the file's `afterAll`, of the file. */
export async function startServer(server: Server, stops: (stop: () => void) => void = onTestFinished): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/**
 * A free port on this machine for a process that a test starts. It is below the range that systems hand out by themselves,
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
