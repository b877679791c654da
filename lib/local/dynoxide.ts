import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { startShielded } from './foreground.ts';
import { answers, givenDatabase } from './given-endpoint.ts';
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

/** Throws SetupError if dynoxide or the given endpoint does not answer. */
export async function startDynamoDb(
  dataDir: string | undefined,
  environment: NodeJS.ProcessEnv = {},
): Promise<LocalDatabase> {
  const given = await givenDatabase(environment);
  if (given !== undefined) return { endpoint: given, ended: new Promise<void>(() => {}), stop: async () => {} };
  const binary = dynoxideBinary(`@dynoxide/${process.platform}-${process.arch}`);
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const file = dataDir === undefined ? undefined : join(dataDir, 'dynamodb.sqlite');
  const stored = file === undefined ? [] : ['--db-path', file];
  const { child, ended, stop } = startShielded(endWithInput, binary, '--port', String(port), ...stored);

  const deadline = Date.now() + maximumStartTime;
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.stdin.end();
      throw new SetupError(
        `dynoxide did not start. Try to run ${binary}, or start over with --fresh if ${dataDir ?? 'the data'} is damaged.`,
      );
    }
    await pause(10);
  }
  try {
    const records = file === undefined ? undefined : indexStreamRecords(file, versionOf(binary));
    return {
      endpoint,
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
