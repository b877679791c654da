import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { startShielded } from './foreground.ts';
import { givenDatabase } from './given-endpoint.ts';
import { freePort } from './http-server.ts';
import { SetupError } from './setup-error.ts';

/** The version whose tables this file knows. Another version may need no index, or a different one. */
const knownVersion = '1.2.1';

/**
 * dynoxide never deletes a stream record, and without this index it reads all of them for each poll and for each write
 * to a table with a stream. `file` must already contain its tables. Undefined for an unknown version.
 */
export function indexStreamRecords(file: string, version: string) {
  if (version !== knownVersion) return undefined;
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec(`CREATE INDEX IF NOT EXISTS streamRecordsByPosition
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)`);
  const newest = database.prepare(
    'SELECT MAX(CAST(sequence_number AS INTEGER)) AS position FROM _stream_records WHERE table_name = ?',
  );
  return {
    /** The sequence number of a table's newest stream record, or null. A hundred times cheaper than a poll. */
    newestRecord: (table: string) => newest.get(table)?.['position'],
    close: () => database.close(),
  };
}

export interface LocalDatabase {
  readonly endpoint: string;
  /** Returns something that changes with each stream record of a table. Undefined if only a poll can tell. */
  readonly newestRecord?: ((table: string) => unknown) | undefined;
  /** Resolves if it ends unexpectedly. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const endWithInput = fileURLToPath(new URL('./end-with-input.ts', import.meta.url));

const packageFile = z.object({ version: z.string() });

/** In milliseconds. Generous, because a busy machine slows down a start. */
const maximumStartTime = 30_000;
/** It ends at once if another program has taken its port. */
const maximumStarts = 3;

/** Throws SetupError if dynoxide does not start, or if the given endpoint does not answer. */
export async function startDynamoDb(
  dataDir: string | undefined,
  environment: NodeJS.ProcessEnv = {},
  choosePort: () => Promise<number> = freePort,
): Promise<LocalDatabase> {
  const given = await givenDatabase(environment);
  if (given !== undefined) return { endpoint: given, ended: new Promise<void>(() => {}), stop: async () => {} };
  const binary = dynoxideBinary(`@dynoxide/${process.platform}-${process.arch}`);
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const file = dataDir === undefined ? undefined : join(dataDir, 'dynamodb.sqlite');
  const stored = file === undefined ? [] : ['--db-path', file];

  for (let start = 1; start <= maximumStarts; start += 1) {
    const port = await choosePort();
    const { child, ended, stop } = startShielded(endWithInput, binary, '--port', String(port), ...stored);
    if (!(await listens(child))) continue;
    try {
      const records = file === undefined ? undefined : indexStreamRecords(file, versionOf(binary));
      return {
        endpoint: `http://127.0.0.1:${port}`,
        ended,
        newestRecord: records?.newestRecord,
        async stop() {
          records?.close();
          await stop();
        },
      };
    } catch (error) {
      child.stdin.end();
      throw error;
    }
  }
  throw new SetupError(
    `dynoxide did not start. Try to run ${binary}, or start over with --fresh if ${dataDir ?? 'the data'} is damaged.`,
  );
}

/** Whether it says so. Asking its port is not enough: another program may have taken a port that was free just before. */
async function listens(child: Pick<ReturnType<typeof startShielded>['child'], 'stdin' | 'stdout'>): Promise<boolean> {
  const timer = setTimeout(() => child.stdin.end(), maximumStartTime);
  try {
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('listening on')) return true;
    return false;
  } finally {
    clearTimeout(timer);
    child.stdout.resume();
  }
}

function versionOf(binary: string): string {
  return packageFile.parse(JSON.parse(readFileSync(join(dirname(binary), 'package.json'), 'utf8'))).version;
}

/** Throws SetupError if the package is not installed. */
export function dynoxideBinary(name: string): string {
  const file = name.includes('win32') ? 'dynoxide.exe' : 'dynoxide';
  try {
    const binary = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
    if (existsSync(binary)) return binary;
  } catch {
    // Not installed.
  }
  throw new SetupError(
    `No DynamoDB here: the package ${name} is not installed. Run "npm ci" without --omit=optional, ` +
      'or start any local DynamoDB and set AWS_ENDPOINT_URL_DYNAMODB to its http://127.0.0.1:PORT.',
  );
}
