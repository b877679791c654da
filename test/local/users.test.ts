import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { openState } from '../../lib/local/state.ts';
import { openUsers } from '../../lib/local/user-pool.ts';
import { dynoxideBinary, indexStreamRecords, startDynamoDb } from '../../lib/local/dynoxide.ts';

const directory = mkdtempSync(join(tmpdir(), 'local-users-'));
afterAll(() => rmSync(directory, { recursive: true }));

const user = { email: 'new@lakeside.example', password: 'temporary' };

test('users and their passwords survive a restart', () => {
  const before = openState(directory);
  const created = openUsers(before).create(user);
  before.close();

  const after = openState(directory);
  expect(openUsers(after).byEmail('NEW@lakeside.example')).toEqual(created);
  expect(openUsers(after).bySubject(created.subject)).toMatchObject(user);
  after.close();
});

test('creating a user again keeps the password', () => {
  const state = openState(directory);
  const users = openUsers(state);
  const created = users.create(user);
  expect(users.create({ email: 'New@lakeside.example', password: 'another' })).toEqual(created);
  state.close();
});

test('a user created again after removal is a new user', () => {
  const state = openState(directory);
  const users = openUsers(state);
  const removed = users.create(user);
  users.remove(removed);
  expect(users.byEmail(user.email)).toBeUndefined();
  expect(users.create(user).subject).not.toBe(removed.subject);
  state.close();
});

test('a fresh start has no users', () => {
  const state = openState(directory);
  openUsers(state).create(user);
  state.clear();
  expect(openUsers(state).byEmail(user.email)).toBeUndefined();
  state.close();
});

describe('stream index', () => {
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
});
