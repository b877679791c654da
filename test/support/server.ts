import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { randomInt } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Table } from '../../functions/contract/environment.ts';
import type { Database } from '../../functions/store/database.ts';
import { beforeEachCall } from './each-call.ts';

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

/** The same database, and the requests to each table since `taken` was called last. */
export function countRequests(database: Database<Table>) {
  const names = new Map(Object.entries(database.tables).map(([table, name]) => [name, table]));
  let counts: Record<string, number> = {};
  const count = (name: string | undefined) => {
    const table = names.get(name ?? '') ?? 'unknown';
    counts[table] = (counts[table] ?? 0) + 1;
  };
  return {
    database: beforeEachCall(database, ({ input }) => {
      if ('TableName' in input) count(input.TableName);
      else if ('RequestItems' in input) Object.keys(input.RequestItems ?? {}).forEach(count);
      else count('a transaction');
    }),
    taken() {
      const before = counts;
      counts = {};
      return before;
    },
  };
}
