import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { startServer } from '../../support/server.ts';

interface SignedReceiver {
  readonly url: string;
  /** The types that arrived with a valid signature. */
  readonly types: string[];
  /** As the practice's software keeps it. */
  secret: string;
  /** How the next webhooks are answered. */
  status: number;
}

/** A practice's server, which also takes test events. It stops with `stops`. */
export async function startSignedReceiver(stops: (stop: () => void) => void): Promise<SignedReceiver> {
  const receiver = { url: '', types: [] as string[], secret: '', status: 200 };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    try {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      const event = new Webhook(receiver.secret).verify(body, Object.fromEntries(headers));
      receiver.types.push((event as { type: string }).type);
      response.writeHead(receiver.status).end(receiver.status === 200 ? 'Thank you' : 'Try later');
    } catch {
      response.writeHead(400).end('Wrong signature');
    }
  });
  return Object.assign(receiver, { url: `http://127.0.0.1:${await startServer(server, stops)}/webhooks` });
}
