import { createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import { startServer } from '../support/server.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
const answers = {
  hangs: () => {},
  drips: (socket) => {
    const drop = setInterval(() => void socket.write('x'), 500);
    socket.write(`${head}content-length: 10000\r\n\r\n`);
    socket.on('close', () => clearInterval(drop));
  },
  resets: (socket) => void socket.resetAndDestroy(),
  floods: (socket) => {
    const flood = (): void => {
      while (socket.writable && socket.write('x'.repeat(16_384)));
    };
    socket.write(`${head}\r\n`);
    socket.on('drain', flood);
    flood();
  },
} as const satisfies Record<string, (socket: Socket) => void>;

// Receivers that hang are tried last, when the others leave the machine time.
export const nineBadReceivers = [
  ...(['resets', 'resets', 'floods', 'floods'] as const),
  ...(['drips', 'drips', 'hangs', 'hangs', 'hangs'] as const),
];

/** Runs until the tests of the file end. `asking` are the connections that sent a request. */
export async function startBadReceiver(kind: keyof typeof answers) {
  const asking: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      asking.push(socket);
      answers[kind](socket);
    });
  });
  return { kind, asking, url: `http://127.0.0.1:${await startServer(server, afterAll)}/` };
}
