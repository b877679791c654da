import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openState } from '../../lib/local/state.ts';
import { openUsers } from '../../lib/local/users.ts';

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
