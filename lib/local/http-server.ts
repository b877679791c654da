import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { SetupError } from './setup-error.ts';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maximumHeadBytes = 10_240;

/** Listens on loopback only. Throws SetupError if the port is taken. */
export async function openHttpServer(port: number, warn: (line: string) => void) {
  let handler: RequestHandler | undefined;
  const server = createServer({ maxHeaderSize: maximumHeadBytes, keepAliveTimeout: 60_000 }, (request, response) => {
    if (handler === undefined) fail(response, 503, 'Service Unavailable');
    else {
      handler(request, response).catch((error: unknown) => {
        if (!request.destroyed) warn(`The local stack could not respond to a request: ${String(error)}`);
        fail(response, 500, 'Internal Server Error');
      });
    }
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [status, message] =
      error.code === 'HPE_HEADER_OVERFLOW' ? ['431', 'Request Header Fields Too Large'] : ['400', 'Bad Request'];
    const body = JSON.stringify({ message });
    socket.end(
      `HTTP/1.1 ${status} ${message}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
  });
  const bound = await listen(server, port);
  return {
    port: bound,
    serve(next: RequestHandler) {
      handler = next;
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(timer);
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the port: any free one for 0. */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const message = `Port ${port} is taken. Stop what uses it, or choose another first port, as in: npm start -- --port ${port + 100}`;
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new SetupError(message) : error),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

export function htmlPage(title: string, style: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body>${body}</body>
</html>
`;
}

function fail(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
