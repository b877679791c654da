import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { startFauxqs as start, type FauxqsServer } from 'fauxqs';
import { region } from './account.ts';

export interface Fauxqs {
  readonly host: string;
  readonly origin: string;
  readonly server: FauxqsServer;
  stop(): Promise<void>;
}

export async function startFauxqs(dataDir: string): Promise<Fauxqs> {
  // A kill could truncate an object's file, so the database keeps objects.
  const server = await start({ port: 0, logger: false, dataDir: join(dataDir, 'fauxqs'), defaultRegion: region });
  const keepOut = refuseStrangers(server.port);
  const host = `127.0.0.1:${server.port}`;
  return {
    host,
    origin: `http://${host}`,
    server,
    async stop() {
      await server.stop();
      keepOut();
    },
  };
}

/** fauxqs listens on all interfaces. This closes connections from other machines. */
function refuseStrangers(port: number): () => void {
  const onSocket = (message: unknown) => {
    const socket = typeof message === 'object' && message !== null && 'socket' in message ? message.socket : undefined;
    if (!(socket instanceof Socket) || socket.localPort !== port) return;
    if (socket.remoteAddress !== '127.0.0.1' && socket.remoteAddress !== '::ffff:127.0.0.1') socket.destroy();
  };
  subscribe('net.server.socket', onSocket);
  return () => unsubscribe('net.server.socket', onSocket);
}
