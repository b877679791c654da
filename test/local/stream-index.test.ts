import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { dynoxideBinary, indexStreamRecords, startDynamoDb } from '../../lib/local/dynoxide.ts';

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'stream-index-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

// Two of the statements that dynoxide 1.2.1 carries in its binary.
const nextPosition = 'SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records';
const page = `FROM _stream_records
             WHERE table_name = ?1 AND shard_id = ?2 AND CAST(sequence_number AS INTEGER) > ?3
             ORDER BY CAST(sequence_number AS INTEGER) ASC`;

it('the installed dynoxide finds stream records by an index', async () => {
  const binary = readFileSync(dynoxideBinary(`@dynoxide/${process.platform}-${process.arch}`));
  expect(binary.includes(nextPosition) && binary.includes(page)).toBe(true);

  const dataDir = aDirectory();
  const dynamo = await startDynamoDb(dataDir);
  await dynamo.stop();
  using database = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'));
  const planOf = (query: string) => database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
  const byIndex = expect.stringMatching(/^SEARCH .* INDEX streamRecordsByPosition/);
  expect(planOf(`${nextPosition} WHERE table_name = ?1`)).toEqual([expect.objectContaining({ detail: byIndex })]);
  expect(planOf(`SELECT * ${page}`)).toEqual([expect.objectContaining({ detail: byIndex })]);
});

it('another version keeps its tables as they are', () => {
  const file = join(aDirectory(), 'dynamodb.sqlite');
  expect(() => indexStreamRecords(file, '1.2.2')).not.toThrow();
  expect(() => indexStreamRecords(file, '1.2.1')).toThrow('no such table');
});
