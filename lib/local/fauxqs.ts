import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { startFauxqs as start, type FauxqsServer } from 'fauxqs';
import { region } from './account.ts';

/** The local SQS and S3: one server and one database, which is written before a request is acknowledged. */
export interface Fauxqs {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly origin: string;
  readonly server: FauxqsServer;
  stop(): Promise<void>;
}

/** Starts fauxqs, which keeps its messages and objects under `dataDir`. */
export async function startFauxqs(dataDir: string): Promise<Fauxqs> {
  // Keep objects in the database too: files are written in place, so a kill could leave half a file.
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
