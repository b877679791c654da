import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import type { ApiKey } from '../../../functions/domain/practices/api-key.ts';
import { getApiKey, recordKeyUse, replaceApiKey, revokeApiKey } from '../../../functions/store/practices/api-keys.ts';
import { servedPart, writeLeaving } from '../../../functions/store/practices/platforms.ts';
import { getPractice, recordScrubbedTo } from '../../../functions/store/practices/practices.ts';
import { transact } from '../../../functions/store/transact.ts';
import { anEntry } from '../../support/create-practice.ts';
import { aPractice } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();

const at = '2026-11-20T09:00:00.000Z';
const practiceId = 'prc_1';
const served = aPractice({ practiceId, platformId: 'plt_1', platformSince: at });
let keys = 0;
let key: ApiKey;
beforeEach(async () => {
  await database.documents.send(new PutCommand({ TableName: database.tables.practices, Item: served }));
  keys += 1;
  key = { keyId: `key_${keys}`, practiceId, name: 'billing', secretHash: 'hash', scopes: [], createdAt: at };
  await database.documents.send(new PutCommand({ TableName: database.tables.apiKeys, Item: key }));
});

it("a key's last day of use never moves back, and a deleted key is not brought back", async () => {
  await recordKeyUse(database, key.keyId, '2026-11-21');
  await recordKeyUse(database, key.keyId, '2026-11-20');
  expect(await getApiKey(database, key.keyId)).toMatchObject({ lastUsedOn: '2026-11-21' });
  await recordKeyUse(database, 'deleted', '2026-11-21');
  expect(await getApiKey(database, 'deleted')).toBeUndefined();
});

it('a key that was revoked in between is not replaced, and gets no successor', async () => {
  await revokeApiKey(database, practiceId, key.keyId, at, anEntry(practiceId));
  const successor = { ...key, keyId: `${key.keyId}_next` };
  expect(await replaceApiKey(database, key, { expiresAt: at, successor }, anEntry(practiceId))).toBe('changed');
  expect(await getApiKey(database, successor.keyId)).toBeUndefined();
  expect(await getApiKey(database, key.keyId)).not.toHaveProperty('expiresAt');
});

it("another practice's key is neither revoked nor shown", async () => {
  expect(await revokeApiKey(database, 'prc_2', key.keyId, at, anEntry('prc_2'))).toBeUndefined();
  expect(await getApiKey(database, key.keyId)).toEqual(key);
});

it('how far a practice was scrubbed never moves back, and a deleted practice is not brought back', async () => {
  await recordScrubbedTo(database, practiceId, 'ses_2');
  await recordScrubbedTo(database, practiceId, 'ses_1');
  expect(await getPractice(database, practiceId)).toMatchObject({ scrubbedTo: 'ses_2' });
  await recordScrubbedTo(database, 'prc_deleted', 'ses_1');
  expect(await getPractice(database, 'prc_deleted')).toBeUndefined();
});

it('a practice leaves its platform only as it was read, and is then served by it no more', async () => {
  const move = { eventId: 'evt_1', platformId: 'plt_1', practiceId, livemode: false, joinedAt: at, leftAt: at };
  const records = () => ({ ofPractice: anEntry(practiceId), ofPlatform: anEntry('plt_1'), move });
  expect(await writeLeaving(database, { ...served, suspendedByPlatform: true }, records())).toBe(false);
  const servedBy = () => transact(database, { served: servedPart(database, practiceId, 'plt_1') });
  expect(await servedBy()).toBeUndefined();
  expect(await writeLeaving(database, served, records())).toBe(true);
  expect((await servedBy())?.has('served')).toBe(true);
});
