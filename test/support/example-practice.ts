import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import type { ListedEvent } from '../../web/client/index.ts';

const example = join(import.meta.dirname, '../../web/docs/example/practice.ts');
const nobodyListens = 'http://127.0.0.1:1';

interface Run {
  readonly args?: readonly string[];
  /** The name of a file. Its books are kept between runs. */
  readonly books?: string;
  /** It cannot reach the service, but the service's webhooks still reach it. */
  readonly cutOff?: boolean;
}

/** Runs web/docs/example as a process, one at a time. */
export interface ExamplePractice {
  /** Writes a file into its own folder, and returns its path. */
  write(name: string, content: string): Promise<string>;
  /** Resolves when it is ready, with what it printed. */
  start(run?: Run): Promise<string>;
  /** Kills the process, as a power cut would. */
  stop(): Promise<void>;
  /** Keyed by session, such as `failed insufficient_funds`. */
  sessionsIn(books?: string): Record<string, string>;
  /** Keyed by invoice. */
  statuses(): Record<string, string>;
  /** Pretends that it has read the events up to this many minutes from now. */
  markEventsRead(minutesAhead: number): void;
  /** Sends the webhook of an event and returns the status of the answer. */
  deliver(event: Pick<ListedEvent, 'eventId' | 'body'>, secret?: string): Promise<number>;
  remove(): Promise<void>;
}

export async function anExamplePractice(settings: {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly port: number;
  readonly signingSecret: string;
}): Promise<ExamplePractice> {
  const { apiUrl, apiKey, port, signingSecret } = settings;
  const folder = await mkdtemp(join(tmpdir(), 'example-practice-'));
  let child: ChildProcess | undefined;

  function read(books: string, query: string) {
    using database = new DatabaseSync(join(folder, books), { readOnly: true });
    return database.prepare(query).all();
  }

  async function stop() {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  return {
    stop,
    async write(name, content) {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
    async start({ args = [], books = 'books.db', cutOff = false } = {}) {
      await stop();
      const started = spawn(process.execPath, [example, ...args], {
        env: {
          PAYMENTS_API_URL: cutOff ? nobodyListens : apiUrl,
          PAYMENTS_API_KEY: apiKey,
          WEBHOOK_SECRET: signingSecret,
          BOOKS: join(folder, books),
          PORT: String(port),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      return new Promise((resolve, reject) => {
        let printed = '';
        const onPrinted = (chunk: unknown) => {
          printed += String(chunk);
          if (printed.includes(cutOff ? 'Webhooks at' : 'Ready.')) resolve(printed);
        };
        started.stdout.on('data', onPrinted);
        started.stderr.on('data', onPrinted);
        started.once('exit', () => reject(new Error(`the example ended: ${printed}`)));
      });
    },
    sessionsIn: (books = 'books.db') =>
      Object.fromEntries(
        read(books, "SELECT sessionId, concat_ws(' ', status, reason) AS state FROM sessions").map(
          ({ sessionId, state }) => [String(sessionId), String(state)],
        ),
      ),
    statuses: () =>
      Object.fromEntries(
        read('books.db', 'SELECT invoiceId, status FROM ledger').map(({ invoiceId, status }) => [
          String(invoiceId),
          String(status),
        ]),
      ),
    markEventsRead(minutesAhead) {
      using database = new DatabaseSync(join(folder, 'books.db'));
      const until = new Date(Date.now() + minutesAhead * 60_000);
      database.prepare('UPDATE eventsRead SET until = ?').run(until.toISOString());
    },
    async deliver({ eventId, body }, secret = signingSecret) {
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = signatureHeaders({ eventId, timestamp, body, secrets: [secret] });
      return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body })).status;
    },
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
