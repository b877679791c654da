import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { due, sweepWait } from '../../functions/domain/due.ts';
import { sessionToken, sha256, ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { expireSession } from '../../functions/sessions/cancel.ts';
import { findByToken } from '../../functions/sessions/find.ts';
import { postponeDue } from '../../functions/store/due-index.ts';
import { insert } from '../../functions/store/rows.ts';
import {
  dueSessions,
  getExistingSession,
  getSessions,
  listAttributes,
} from '../../functions/store/sessions/sessions.ts';
import { writeAuthorization } from '../../functions/store/sessions/transitions.ts';
import { aBankConnection, anEvidence, aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

/** The format of rows before they were made smaller. */
async function anOlderSession() {
  const sessionId = `ses_${ulid(now, randomBytes)}`;
  const token = sessionToken(sessionId, randomBytes);
  const session = aSession({ ...aBankConnection, sessionId, createdAt: toIso(now), tokenHash: sha256(token) });
  const expiry = due('expiry', sessionId, Date.parse(session.expiresAt));
  const taken = { dueAt: expiry.dueAt, firstDueAt: expiry.dueAt, times: 1 };
  await insert(database, 'sessions', { ...session, ...listAttributes(session), ...expiry, taken }, 'sessionId');
  return { session, token };
}

/** The format of rows after that, in which the payee and the sweep's mark had no field names. */
async function aSessionWithTuples() {
  const sessionId = `ses_${ulid(now, randomBytes)}`;
  const token = sessionToken(sessionId, randomBytes);
  const createdAt = toIso(now);
  const own = { sessionId, createdAt, invoiceId: sessionId, tokenHash: sha256(token) };
  const session = aSession({ ...aBankConnection, ...own });
  const { name, supportPhone } = aBankConnection.payee;
  const payee = [name, supportPhone ?? null, null, null];
  const expiry = due('expiry', sessionId, Date.parse(session.expiresAt));
  const taken = [expiry.dueAt, Date.parse(expiry.dueAt) - minute, 2];
  const row = { ...session, payee, ...listAttributes(session), ...expiry, taken };
  await insert(database, 'sessions', row, 'sessionId');
  return { session, token, payee: { name, ...(supportPhone !== undefined && { supportPhone }) } };
}

it('reads and authorizes a session whose payee has no field names', async () => {
  const { session, token, payee } = await aSessionWithTuples();
  const found: Session = await findByToken({ database }, token);
  expect(found.payee).toEqual(payee);
  const { bankConnectedAt } = aBankConnection;
  const authorization = { bankConnectedAt, evidence: anEvidence(session), guardInvoice: true, now };
  expect((await writeAuthorization(database, found, authorization)).result).toBe('written');
});

it('counts how often the sweep postponed a row before its mark had field names', async () => {
  const { session } = await aSessionWithTuples();
  const dueAt = Date.parse(session.expiresAt);
  const { keys, age } = await postponeDue(dueSessions(database, 'expiry'), dueAt, 100);
  expect(keys).toContainEqual({ sessionId: session.sessionId });
  expect(age).toBe(minute);
  const { dueAt: next, taken } = await getExistingSession(database, session.sessionId);
  expect(next).toBe(toIso(dueAt + sweepWait(3)));
  expect(taken).toEqual({ dueAt: next, firstDueAt: toIso(dueAt - minute), times: 3 });
});

it('finds an older session by its link and with others', async () => {
  const { session, token } = await anOlderSession();
  expect(await findByToken({ database }, token)).toMatchObject(session);
  expect(await getSessions(database, [session.sessionId])).toMatchObject([session]);
  const other = sessionToken(session.sessionId, randomBytes);
  await expect(findByToken({ database }, other)).rejects.toMatchObject({ code: 'link_not_found' });
});

it('authorizes an older session', async () => {
  const { session, token } = await anOlderSession();
  const found: Session = await findByToken({ database }, token);
  const { bankConnectedAt } = aBankConnection;
  const authorization = { bankConnectedAt, evidence: anEvidence(session), guardInvoice: true, now };
  const { result } = await writeAuthorization(database, found, authorization);
  expect(result).toBe('written');
  expect(await getExistingSession(database, session.sessionId)).toMatchObject({ status: 'processing' });
});

it('expires an older session', async () => {
  const { sessionId, expiresAt } = (await anOlderSession()).session;
  await expireSession({ database }, { sessionId }, Date.parse(expiresAt));
  expect(await getExistingSession(database, sessionId)).toMatchObject({ status: 'cancelled', cancelledAt: expiresAt });
});
