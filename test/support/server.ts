import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Stops at the end of the test, or with `afterAll` of the file. */
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
