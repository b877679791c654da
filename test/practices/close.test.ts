import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { generatePracticeId } from '../../functions/domain/practices/practice.ts';
import { toIso } from '../../functions/domain/time.ts';
import { closePractice, resumePractice, suspendPractice } from '../../functions/practices/suspend-and-close.ts';
import { addKey, listKeys, makeKey, rotateKey } from '../../functions/practices/keys.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { listInvitations } from '../../functions/store/team/invitations.ts';
import { listMembers } from '../../functions/store/team/members.ts';
import { insert } from '../../functions/store/rows.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { writeSettlement } from '../../functions/store/sessions/transitions.ts';
import { author, storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';
import { beforeEachCall } from '../support/answered-client.ts';

const tables = await startTestTables();
const { database } = tables;
const page = { mode: 'sandbox', hostedPageUrl: 'https://pay.example' } as const;
const tools = { database, randomBytes, pause: async () => undefined, ...page };
const body = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
const now = Date.parse('2026-11-20T10:00:00.000Z');

let practiceId: string;
beforeEach(async () => {
  practiceId = generatePracticeId(randomBytes);
  await insert(database, 'practices', aPractice({ practiceId }), 'practiceId');
  await addKey(tools, { practiceId, author, name: 'billing' }, now);
  const user = { issuer: 'https://id.example', email: 'dana@lakeside.example' };
  const member = { ...user, practiceId, mailTopics: [], createdAt: toIso(now) };
  for (const [userId, role] of [
    ['u1', 'admin'],
    ['u2', 'viewer'],
  ])
    await insert(database, 'members', { ...member, subject: userId, userId, role }, 'userId');
  const invitation = { invitationId: `inv_${practiceId}`, practiceId, email: 'lee@lakeside.example', role: 'admin' };
  const times = { createdAt: toIso(now), expiresAt: toIso(now + 1000), createdBy: author };
  await insert(database, 'invitations', { ...invitation, ...times }, 'invitationId');
});

/** The index misses a key that was added just before. */
async function addUnlisted(name: string): Promise<void> {
  const { row } = makeKey(tools, { practiceId, name }, now);
  await insert(database, 'apiKeys', row, 'keyId');
}

const close = (at = now) => closePractice(tools, { practiceId, author }, at);
const stored = (status: 'pending' | 'processing') =>
  storeSession(database, { practiceId, status, sequence: status === 'pending' ? 0 : 1, processingAt: toIso(now) }, now);

it('ends open sessions and keys, and lets nobody in', async () => {
  const pending = await stored('pending');
  expect(await close()).toEqual({
    practiceId,
    status: 'closed',
    closedAt: toIso(now),
    cancelledSessions: 1,
    processingDebits: 0,
    revokedKeys: 1,
    removedMembers: 2,
  });
  expect(await getExistingSession(database, pending.sessionId)).toMatchObject({ status: 'cancelled' });
  expect((await listKeys(tools, { practiceId })).keys).toMatchObject([{ revokedAt: toIso(now) }]);
  expect(await listMembers(database, practiceId)).toEqual([]);
  expect(await listInvitations(database, practiceId)).toEqual([]);
  await expect(createSession(tools, { practiceId, body }, now)).rejects.toMatchObject({ code: 'practice_closed' });
});

it('ends a session whose creation began before the closing', async () => {
  const [held, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = beforeEachCall(database, async ({ operation }) => {
    if (operation !== 'PutItem') return;
    held.resolve();
    await written.promise;
  });
  const creation = createSession({ ...tools, database: slow }, { practiceId, body }, now);
  await held.promise;
  const waits: number[] = [];
  const pause = async (milliseconds: number) => {
    waits.push(milliseconds);
    written.resolve();
    await creation;
  };
  const closed = await closePractice({ ...tools, pause }, { practiceId, author }, now + 1000);
  expect(closed).toMatchObject({ status: 'closed', cancelledSessions: 1 });
  const { sessionId } = (await creation).response;
  expect(await getExistingSession(database, sessionId)).toMatchObject({ status: 'cancelled' });
  await closePractice({ ...tools, pause }, { practiceId, author }, now + 16_000);
  expect(waits).toEqual([15_000]);
});

it('revokes a key that the list of keys shows late', async () => {
  const pause = () => addUnlisted('late');
  expect(await closePractice({ ...tools, pause }, { practiceId, author }, now)).toMatchObject({ revokedKeys: 2 });
  const { keys } = await listKeys(tools, { practiceId });
  expect(keys.filter(({ revokedAt }) => revokedAt === undefined)).toEqual([]);
});

it('issues no more keys, whether or not debits are processing', async () => {
  await stored('processing');
  expect(await close()).toMatchObject({ status: 'closing' });
  await addUnlisted('late');
  const late = (await listKeys(tools, { practiceId })).keys.find(({ name }) => name === 'late');
  const refused = { code: 'practice_closed' };
  await expect(addKey(tools, { practiceId, author, name: 'x' }, now)).rejects.toMatchObject(refused);
  await expect(
    rotateKey(tools, { practiceId, author, keyId: late?.keyId ?? '', end: '7d' }, now),
  ).rejects.toMatchObject(refused);
  expect((await listKeys(tools, { practiceId })).keys).toHaveLength(2);
});

it('is final: it cannot be resumed', async () => {
  await close();
  const refused = { code: 'practice_closed' };
  await expect(resumePractice(tools, { practiceId, author }, now)).rejects.toMatchObject(refused);
  await suspendPractice(tools, { practiceId, author }, now);
  await expect(resumePractice(tools, { practiceId, author }, now)).rejects.toMatchObject(refused);
  const { entries } = await listAuditLog(database, practiceId, { limit: 50 });
  expect(entries.map(({ action }) => action)).not.toContain('practice.resumed');
});

it('lets members keep their access while a debit is processing, and removes them when run again', async () => {
  const processing = await stored('processing');
  expect(await close()).toMatchObject({ status: 'closing', processingDebits: 1, revokedKeys: 1, removedMembers: 0 });
  expect(await listMembers(database, practiceId)).toHaveLength(2);
  await writeSettlement(database, processing, now + 1000);
  expect(await close(now + 2000)).toMatchObject({ status: 'closed', closedAt: toIso(now), removedMembers: 2 });
  expect(await getExistingSession(database, processing.sessionId)).toMatchObject({ status: 'succeeded' });
});

it('changes nothing once it is done, and writes each change to the audit log once', async () => {
  await close();
  const again = { cancelledSessions: 0, revokedKeys: 0, removedMembers: 0, closedAt: toIso(now) };
  expect(await close(now + 1000)).toMatchObject(again);
  const { entries } = await listAuditLog(database, practiceId, { limit: 50 });
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'api_key.created',
    'api_key.revoked',
    'invitation.revoked',
    'member.removed',
    'member.removed',
    'practice.closed',
  ]);
});

it('does not find an unknown practice', async () => {
  const other = { practiceId: 'prc_unknown', author };
  await expect(closePractice(tools, other, now)).rejects.toMatchObject({ code: 'practice_not_found' });
});
