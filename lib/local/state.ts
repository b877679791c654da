import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { SetupError } from './setup-error.ts';
import { localUser, type LocalUser } from './user-pool.ts';

const storedEvent = z.object({
  requestId: z.string(),
  functionName: z.string(),
  payload: z.string(),
  attempts: z.number(),
  acceptedAt: z.number(),
  dueAt: z.number(),
});
export type AsyncEvent = z.output<typeof storedEvent>;

const checkpointRow = z.object({ sequenceNumber: z.string() });

export type RunnerState = ReturnType<typeof openState>;

/** Throws SetupError if another runner holds the lock; a crash releases it. */
export function openState(dataDir: string) {
  makeDirectory(dataDir);
  const database = new DatabaseSync(join(dataDir, 'runner.sqlite'));
  try {
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS checkpoints (shard TEXT PRIMARY KEY, sequenceNumber TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS asyncEvents (requestId TEXT PRIMARY KEY, functionName TEXT NOT NULL, payload TEXT NOT NULL,
        attempts INTEGER NOT NULL, acceptedAt INTEGER NOT NULL, dueAt INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS poolUsers (subject TEXT PRIMARY KEY, email TEXT NOT NULL, password TEXT NOT NULL) STRICT;
      BEGIN EXCLUSIVE; COMMIT;`);
  } catch (error) {
    if (error instanceof Error && error.message.includes('locked')) {
      throw new SetupError(`Another local stack uses ${dataDir}. Stop it, or give this one another with --data DIR.`);
    }
    throw error;
  }
  const readCheckpoint = database.prepare('SELECT sequenceNumber FROM checkpoints WHERE shard = ?');
  const writeCheckpoint = database.prepare('INSERT OR REPLACE INTO checkpoints VALUES (?, ?)');
  const readEvents = database.prepare('SELECT * FROM asyncEvents ORDER BY acceptedAt');
  const writeEvent = database.prepare('INSERT OR REPLACE INTO asyncEvents VALUES (?, ?, ?, ?, ?, ?)');
  const readUsers = database.prepare('SELECT * FROM poolUsers');
  const writeUser = database.prepare('INSERT INTO poolUsers VALUES (?, ?, ?)');
  const removeUser = database.prepare('DELETE FROM poolUsers WHERE subject = ?');
  const deleteEvent = database.prepare('DELETE FROM asyncEvents WHERE requestId = ?');

  return {
    checkpoint(shard: string): string | undefined {
      const row = readCheckpoint.get(shard);
      return row === undefined ? undefined : checkpointRow.parse({ ...row }).sequenceNumber;
    },
    saveCheckpoint(shard: string, sequenceNumber: string): void {
      writeCheckpoint.run(shard, sequenceNumber);
    },
    asyncEvents(): AsyncEvent[] {
      return readEvents.all().map((row) => storedEvent.parse({ ...row }));
    },
    saveAsyncEvent(event: AsyncEvent): void {
      writeEvent.run(event.requestId, event.functionName, event.payload, event.attempts, event.acceptedAt, event.dueAt);
    },
    deleteAsyncEvent(requestId: string): void {
      deleteEvent.run(requestId);
    },
    users(): LocalUser[] {
      return readUsers.all().map((row) => localUser.parse({ ...row }));
    },
    saveUser({ subject, email, password }: LocalUser): void {
      writeUser.run(subject, email, password);
    },
    deleteUser({ subject }: LocalUser): void {
      removeUser.run(subject);
    },
    clear(): void {
      database.exec('DELETE FROM checkpoints; DELETE FROM asyncEvents; DELETE FROM poolUsers;');
    },
    close(): void {
      database.close();
    },
  };
}

/** Only the owner may read it: it holds links, secrets and names. */
function makeDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    throw new SetupError(`${dataDir} cannot be used as the data directory. Choose another with --data DIR.`);
  }
}
