import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { toIso } from '../../functions/domain/time.ts';
import { erasePatient, erasePatientOfInvoice } from '../../functions/sessions/erase-patient.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { writeFailure } from '../../functions/store/sessions/transitions.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { beforeEachCall } from '../support/answered-client.ts';

const tables = await startTestTables();
const { database } = tables;

const now = Date.parse('2026-11-20T10:00:00.000Z');
const author = { kind: 'api_key', keyId: 'k1', name: 'billing', address: '203.0.113.9' } as const;
const metadata = { note: 'for Ada Okafor' };

const erase = ({ practiceId, sessionId }: Session, at = now) =>
  erasePatient({ database, randomBytes }, { practiceId, sessionId, author }, at);

async function failed(practiceId: string): Promise<Session> {
  const started = { processingAt: toIso(now - 1000) };
  const session = await storeSession(
    database,
    { practiceId, metadata, status: 'processing', sequence: 1, ...started },
    now - 2000,
  );
  const failure = { code: 'insufficient_funds', message: 'There was not enough money.' } as const;
  const { result } = await writeFailure(database, session, failure, now);
  expect(result).toBe('written');
  return session;
}

const bodyOf = async ({ sessionId }: Session, sequence: number) =>
  (await getEvent(database, sessionEventId(sessionId, sequence)))?.body ?? '';

describe('erasing a patient', () => {
  it('scrubs the session and the metadata of its events, and says until when the evidence is kept', async () => {
    const session = await failed('prc_erases');
    const before = await bodyOf(session, 2);
    expect(await erase(session)).toEqual({
      sessionId: session.sessionId,
      scrubbedAt: toIso(now),
      evidenceKeptUntil: '2033-11-20T09:59:59.000Z',
    });
    const row = await getExistingSession(database, session.sessionId);
    expect(row).toMatchObject({ scrubbedAt: toIso(now), metadata: {}, status: 'failed' });
    expect(row).not.toHaveProperty('patient');
    expect(await bodyOf(session, 2)).toBe(before.replace(JSON.stringify(metadata), '{}'));
  });

  it('changes nothing the second time, and leaves one entry in the audit log', async () => {
    const session = await failed('prc_twice');
    const [first, second] = [await erase(session), await erase(session, now + 60_000)];
    expect(second).toEqual(first);
    const { entries } = await listAuditLog(database, 'prc_twice', { limit: 10 });
    expect(entries).toMatchObject([{ action: 'session.patient_erased', target: session.sessionId, author }]);
    expect(JSON.stringify(entries)).not.toMatch(/Ada|Okafor/);
  });

  it('finishes what a crashed attempt left undone', async () => {
    const session = await failed('prc_dies');
    const dying = beforeEachCall(database, ({ operation }) => {
      if (operation === 'BatchGetItem') throw new Error('lost');
    });
    const input = { practiceId: session.practiceId, sessionId: session.sessionId, author };
    await expect(erasePatient({ database: dying, randomBytes }, input, now)).rejects.toThrow('lost');
    expect(await bodyOf(session, 2)).toContain('Okafor');
    await erase(session);
    expect(await bodyOf(session, 2)).not.toContain('Okafor');
  });

  it.each(['pending', 'processing'] as const)('is refused while the session is %s', async (status) => {
    const session = await storeSession(database, { practiceId: 'prc_open', status }, now);
    const problem = { code: 'session_not_ended', extra: { sessionStatus: status } };
    await expect(erase(session)).rejects.toMatchObject(problem);
    expect((await getExistingSession(database, session.sessionId)).patient).toEqual(session.patient);
  });

  it('ends an expired session first, and promises no evidence if nothing was authorized', async () => {
    const session = await storeSession(database, { practiceId: 'prc_expires', expiresAt: toIso(now - 1) }, now - 2000);
    expect(await erase(session)).toEqual({ sessionId: session.sessionId, scrubbedAt: toIso(now) });
    const row = await getExistingSession(database, session.sessionId);
    expect(row).toMatchObject({ status: 'cancelled', cancellation: { reason: 'expired' } });
  });

  it("does not find another practice's session", async () => {
    const session = await failed('prc_mine');
    await expect(erase({ ...session, practiceId: 'prc_other' })).rejects.toMatchObject({ code: 'session_not_found' });
    expect((await getExistingSession(database, session.sessionId)).patient).toEqual(session.patient);
  });
});

describe("erasing an invoice's patient", () => {
  const page = (invoiceId: string, cursor?: string, practiceId = 'prc_invoice') =>
    erasePatientOfInvoice({ database, randomBytes }, { practiceId, invoiceId, author, cursor }, now);
  const store = (status: Session['status'], invoiceId: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        storeSession(database, { practiceId: 'prc_invoice', invoiceId, status }, now),
      ),
    );

  it('covers every session, ten at a time, and names those that have not ended', async () => {
    const ended = await store('failed', 'INV-many', 22);
    const [open] = await store('processing', 'INV-many', 1);
    const [other] = await store('failed', 'INV-other', 1);
    const pages = [];
    for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.nextCursor)
      pages.push(await page('INV-many', cursor));
    expect(pages.map(({ erased, notEnded }) => erased.length + notEnded.length)).toEqual([10, 10, 3]);
    const ids = pages.flatMap(({ erased }) => erased.map(({ sessionId }) => sessionId));
    expect(ids.sort()).toEqual(ended.map(({ sessionId }) => sessionId).sort());
    expect(pages.flatMap(({ notEnded }) => notEnded)).toEqual([
      { sessionId: open?.sessionId, sessionStatus: 'processing' },
    ]);
    for (const sessionId of ids) expect(await getExistingSession(database, sessionId)).not.toHaveProperty('patient');
    expect(await getExistingSession(database, other?.sessionId ?? '')).toHaveProperty('patient');
    expect(await getExistingSession(database, open?.sessionId ?? '')).toHaveProperty('patient');
  });

  it('changes nothing the second time, and does nothing for another practice', async () => {
    await store('failed', 'INV-again', 2);
    expect(await page('INV-again', undefined, 'prc_other')).toEqual({ erased: [], notEnded: [], nextCursor: null });
    const first = await page('INV-again');
    expect(first.erased).toHaveLength(2);
    expect(await page('INV-again')).toEqual(first);
  });

  it('refuses the cursor of another invoice', async () => {
    await store('failed', 'INV-first', 11);
    const { nextCursor } = await page('INV-first');
    await expect(page('INV-second', nextCursor ?? '')).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});
