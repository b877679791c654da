import { DatabaseSync } from 'node:sqlite';

/** The version whose tables this file knows. Another version may need no index, or a different one. */
const knownVersion = '1.2.1';

/**
 * dynoxide never deletes a stream record, and without this index it reads all of them for each poll and for each write
 * to a table with a stream. `file` must have its tables.
 */
export function indexStreamRecords(file: string, version: string): void {
  if (version !== knownVersion) return;
  using database = new DatabaseSync(file, { timeout: 5000 });
  database.exec(`CREATE INDEX IF NOT EXISTS streamRecordsByPosition
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)`);
}
