import { randomBytes } from 'node:crypto';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { generatePracticeId, type Practice } from '../../functions/domain/practices/practice.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { day, hour, toIso } from '../../functions/domain/time.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import { scrubOldSessions } from '../../functions/sessions/scrub-old.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { getPractice, readPracticeIds } from '../../functions/store/practices/practices.ts';
import { insert } from '../../functions/store/rows.ts';
import { getExistingSession, scrubSession } from '../../functions/store/sessions/sessions.ts';
import { writeReturn } from '../../functions/store/sessions/transitions.ts';
import { aroundEachCall, beforeEachCall } from '../support/answered-client.ts';
import { aPractice } from '../support/examples.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;

const created = Date.parse('2026-11-20T10:00:00.000Z');
const monthsLater = (months: number) => Date.UTC(2026, 10 + months, 20, 10);
const bankAccount = { bankName: 'First Lakeside Bank', accountType: 'checking', last4: '6789' } as const;
const details = {
  patient: { firstName: 'Zebulon', lastName: 'Quackenbush' },
  metadata: { note: 'for Zebulon' },
  returnUrl: 'https://lakeside.example/quackenbush',
  bankAccount,
  processorAccount: 'pm_6789',
  bankConnectionId: 'fcsess_6789',
};

let practice: Practice;
beforeEach(async () => {
  practice = aPractice({ practiceId: generatePracticeId(randomBytes) });
  await insert(database, 'practices', practice, 'practiceId');
});

/** The value may be one that the row's schema refuses. */
const setUnchecked = (table: 'sessions' | 'practices', key: object, name: string, value: string | number) =>
  database.documents.send(
    new UpdateCommand({
      TableName: database.tables[table],
      Key: { ...key },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

async function unsettled(differences: Partial<Session> = {}, at = created): Promise<Session> {
  return storeSession(
    database,
    {
      practiceId: practice.practiceId,
      status: 'succeeded',
      sequence: 2,
      createdAt: toIso(at),
      processingAt: toIso(at),
      ...details,
      ...differences,
    },
    at,
  );
}

const ended = (differences: Partial<Session> = {}, at = created) =>
  unsettled({ settledAt: toIso(at), ...differences }, at);

const scrubAt = (now: number) => scrubOldSessions({ database, clock: () => now });
const current = ({ sessionId }: Session) => getExistingSession(database, sessionId);
const isScrubbed = async (session: Session) => (await current(session)).scrubbedAt !== undefined;

describe('the daily run', () => {
  it('leaves nothing about the patient or the bank account in the row, and everything else', async () => {
    const session = await ended();
    await scrubAt(monthsLater(24));
    const { Item } = await database.documents.send(
      new GetCommand({ TableName: database.tables.sessions, Key: { sessionId: session.sessionId } }),
    );
    expect(JSON.stringify(Item)).not.toMatch(/Zebulon|quackenbush|Lakeside Bank|6789|checking/i);
    expect(Item).toMatchObject({
      scrubbedAt: toIso(monthsLater(24)),
      metadata: {},
      status: 'succeeded',
      invoiceId: session.invoiceId,
      amountCents: session.amountCents,
      settledAt: session.settledAt,
    });
  });

  it('waits for the whole time since the session ended, not since it was created', async () => {
    const session = await ended({ settledAt: toIso(created + 6 * day) });
    await scrubAt(monthsLater(24));
    expect(await isScrubbed(session)).toBe(false);
    await scrubAt(monthsLater(24) + 6 * day - 1);
    expect(await isScrubbed(session)).toBe(false);
    await scrubAt(monthsLater(24) + 6 * day);
    expect(await isScrubbed(session)).toBe(true);
  });

  it("follows each practice's setting", async () => {
    const kept = await ended();
    practice = aPractice({ practiceId: generatePracticeId(randomBytes), retentionMonths: 1 });
    await insert(database, 'practices', practice, 'practiceId');
    const brief = await ended();
    await scrubAt(monthsLater(1));
    expect(await Promise.all([kept, brief].map(isScrubbed))).toEqual([false, true]);
  });

  it('scrubs failed and cancelled sessions, but no open session, however old', async () => {
    const failed = await unsettled({ status: 'failed', failedAt: toIso(created) });
    const cancelled = await unsettled({ status: 'cancelled', cancelledAt: toIso(created) });
    const processing = await unsettled({ status: 'processing' });
    const pending = await unsettled({ status: 'pending' });
    await scrubAt(monthsLater(60));
    const found = [failed, cancelled, processing, pending].map(isScrubbed);
    expect(await Promise.all(found)).toEqual([true, true, false, false]);
  });

  it('continues where it stopped, and comes back to a session that ended late', async () => {
    const first = await ended();
    const late = await ended({ settledAt: toIso(created + 40 * day) }, created + 1);
    const after = await ended({}, created + 2);
    await scrubAt(monthsLater(24) + day);
    expect(await Promise.all([first, late, after].map(isScrubbed))).toEqual([true, false, true]);
    const young = await ended({}, created + 30 * day);
    await scrubAt(monthsLater(24) + 41 * day);
    expect(await Promise.all([late, young].map(isScrubbed))).toEqual([true, true]);
    expect((await getPractice(database, practice.practiceId))?.scrubbedTo).toBe(young.sessionId);
    await scrubAt(monthsLater(24) + 41 * day);
    expect((await current(first)).scrubbedAt).toBe(toIso(monthsLater(24) + day));
  });

  it('stops when its time is over, and the next run does the rest', async () => {
    const sessions = await Promise.all(Array.from({ length: 3 }, (_, index) => ended({}, created + index)));
    let calls = 0;
    const clock = () => monthsLater(24) + day + (calls++ < 1 ? 0 : 60 * 60_000);
    await scrubOldSessions({ database, clock });
    expect(await isScrubbed(sessions[0]!)).toBe(false);
    await scrubAt(monthsLater(24) + day);
    expect(await Promise.all(sessions.map(isScrubbed))).toEqual([true, true, true]);
  });

  it('continues after a session that it cannot write, fails at the end, and comes back to it', async () => {
    const stuck = await ended();
    const sibling = await ended({}, created + 1);
    const watched = beforeEachCall(database, async ({ operation, input }) => {
      if (operation === 'UpdateItem' && input.Key?.['sessionId']?.S === stuck.sessionId) throw new Error('stuck');
    });
    const now = monthsLater(24) + day;
    const run = scrubOldSessions({ database: watched, clock: () => now });
    await expect(run).rejects.toThrow('failed 1 times');
    expect(await Promise.all([stuck, sibling].map(isScrubbed))).toEqual([false, true]);
    await scrubAt(now);
    expect(await isScrubbed(stuck)).toBe(true);
  });

  it('continues after rows that it cannot read, fails at the end, and comes back to them', async () => {
    const unreadable = [await ended(), await ended({}, created + 1)];
    const sibling = await ended({}, created + 2);
    const write = (status: string) =>
      Promise.all(unreadable.map(({ sessionId }) => setUnchecked('sessions', { sessionId }, 'status', status)));
    await write('unheard of');
    const now = monthsLater(24) + day;
    await expect(scrubAt(now)).rejects.toThrow('failed 2 times');
    expect(await isScrubbed(sibling)).toBe(true);
    await write('succeeded');
    await scrubAt(now);
    expect(await Promise.all(unreadable.map(isScrubbed))).toEqual([true, true]);
  });

  it('reads a practice page by page until its time is over', async () => {
    const sessions = await Promise.all(Array.from({ length: 3 }, (_, index) => ended({}, created + index)));
    const now = monthsLater(24) + day;
    let pages = 0;
    const shortPages = aroundEachCall(database, async ({ operation, input }, perform) => {
      if (operation !== 'Query') return perform();
      if (JSON.stringify(input).includes(practice.practiceId)) pages += 1;
      return database.call('Query', { ...input, Limit: 1 });
    });
    await scrubOldSessions({ database: shortPages, clock: () => now + (pages < 2 ? 0 : hour) });
    expect(await Promise.all(sessions.map(isScrubbed))).toEqual([true, true, false]);
  });

  it('continues with other practices if the sessions of one cannot be listed, and fails at the end', async () => {
    const ofUnlisted = await ended();
    const unlisted = practice.practiceId;
    practice = aPractice({ practiceId: generatePracticeId(randomBytes) });
    await insert(database, 'practices', practice, 'practiceId');
    const sibling = await ended();
    const failing = beforeEachCall(database, ({ operation, input }) => {
      if (operation === 'Query' && JSON.stringify(input).includes(unlisted)) throw new Error('no answer');
    });
    const run = scrubOldSessions({ database: failing, clock: () => monthsLater(24) + day });
    await expect(run).rejects.toThrow('failed 1 times');
    expect(await Promise.all([ofUnlisted, sibling].map(isScrubbed))).toEqual([false, true]);
  });

  it('continues with other practices if the row of one is invalid, and fails at the end', async () => {
    const ofInvalid = await ended();
    const invalid = practice;
    practice = aPractice({ practiceId: generatePracticeId(randomBytes) });
    await insert(database, 'practices', practice, 'practiceId');
    const sibling = await ended();
    const writeRetention = (months: number | string) =>
      setUnchecked('practices', { practiceId: invalid.practiceId }, 'retentionMonths', months);
    await writeRetention('two years');
    const now = monthsLater(24) + day;
    await expect(scrubAt(now)).rejects.toThrow('failed 1 times');
    expect(await Promise.all([ofInvalid, sibling].map(isScrubbed))).toEqual([false, true]);
    await writeRetention(invalid.retentionMonths);
    await scrubAt(now);
    expect(await isScrubbed(ofInvalid)).toBe(true);
  });

  it('begins with another practice each day, so that none waits forever', async () => {
    const one = await ended();
    practice = aPractice({ practiceId: generatePracticeId(randomBytes) });
    await insert(database, 'practices', practice, 'practiceId');
    const other = await ended();
    const practices = (await readPracticeIds(database)).length;
    for (let days = 0; days < practices; days += 1) {
      let calls = 0;
      // Enough time for the first practice only.
      const clock = () => monthsLater(24) + days * day + (calls++ < 2 ? 0 : hour);
      await scrubOldSessions({ database, clock });
    }
    expect(await Promise.all([one, other].map(isScrubbed))).toEqual([true, true]);
  });
});

describe('after it, the bank', () => {
  const returned = { code: 'insufficient_funds', achReturnCode: 'R01' } as const;
  const telling = (state: 'returned', refundedCents = 0) => ({
    database,
    processor: {
      findDebit: async () => ({
        debitId: 'debit_1',
        submittedAt: toIso(created),
        state: { state, at: toIso(created), return: returned },
        refunds: { amountCents: refundedCents },
      }),
      acknowledge: async () => undefined,
    },
  });

  it('can still return the debit, and the webhook has no metadata', async () => {
    const session = await ended();
    await scrubAt(monthsLater(24));
    await settlePayment(telling('returned', 500), session, monthsLater(24) + day);
    expect(await current(session)).toMatchObject({ return: returned, refund: { amountCents: 500 }, metadata: {} });
    const [refunded, event] = await Promise.all(
      [3, 4].map((sequence) => getEvent(database, sessionEventId(session.sessionId, sequence))),
    );
    expect(JSON.parse(refunded?.body ?? '')).toMatchObject({ data: { metadata: {}, refund: { amountCents: 500 } } });
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ data: { metadata: {}, return: returned } });
  });

  it('does not bring back what was scrubbed after the return read the session', async () => {
    const read = await ended();
    await scrubSession(database, read.sessionId, monthsLater(24));
    const { result } = await writeReturn(database, read, returned, monthsLater(24) + 1);
    expect(result).toBe('written');
    const event = await getEvent(database, sessionEventId(read.sessionId, 3));
    expect(event?.body).toContain('"metadata":{}');
    expect(event?.body).not.toContain('Zebulon');
  });

  it('and the scrub happen at once, and neither is lost', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => ended()));
    await Promise.all(
      sessions.flatMap((session) => [
        scrubSession(database, session.sessionId, monthsLater(24)),
        settlePayment(telling('returned'), session, monthsLater(24)),
      ]),
    );
    for (const session of sessions) {
      const row = await current(session);
      expect(row).toMatchObject({ scrubbedAt: toIso(monthsLater(24)), return: returned, sequence: 3 });
      expect(row.patient).toBeUndefined();
    }
  });
});
