import { randomBytes } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../functions/domain/identifier.ts';
import { receiptNumberOf, type Patient, type Session } from '../../functions/domain/sessions/session.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { erasePatient } from '../../functions/sessions/erase-patient.ts';
import { searchSessions } from '../../functions/sessions/search.ts';
import { claimInvoice } from '../../functions/store/payments/invoice-claims.ts';
import { insert, update } from '../../functions/store/rows.ts';
import { sessionRow } from '../../functions/store/sessions/session-row.ts';
import { scrubSession } from '../../functions/store/sessions/sessions.ts';
import { transact } from '../../functions/store/transact.ts';
import { author, storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { aroundEachCall } from '../support/answered-client.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const ended = { status: 'failed', failedAt: toIso(now) } as const;
const ada = { firstName: 'Ada', lastName: 'Okafor' };
const zebulon = { firstName: 'Zebulon', lastName: 'Quackenbush Zebulon' };

async function aPracticeId(invoiceGuard = true): Promise<string> {
  const practiceId = `prc_${randomBytes(8).toString('hex')}`;
  await insert(database, 'practices', aPractice({ practiceId, invoiceGuard }), 'practiceId');
  return practiceId;
}

const store = (practiceId: string, differences: Partial<Session> = {}, at = now) =>
  storeSession(database, { practiceId, createdAt: toIso(at), ...differences }, at);

type Search = Partial<Parameters<typeof searchSessions>[1]>;

async function search(practiceId: string, text: string, differences: Search = {}) {
  return searchSessions({ database }, { practiceId, text, byName: true, ...differences }, now);
}

async function idsFor(...given: Parameters<typeof search>): Promise<string[]> {
  return (await search(...given)).sessions.map(({ sessionId }) => sessionId);
}

/** How many rows of the table and its indexes contain one of Zebulon's names, in any letter case. */
async function namesLeft(practiceId: string): Promise<number> {
  const { sessions } = database.tables;
  const views = [undefined, 'byLastName', 'byFirstName', 'byLastWord'];
  const rows = await Promise.all(
    views.map(async (IndexName) => {
      const { Items = [] } = await database.documents.send(new ScanCommand({ TableName: sessions, IndexName }));
      return Items.filter((item) => item['practiceId'] === practiceId);
    }),
  );
  return rows.flat().filter((item) => /zebulon|quackenbush/i.test(JSON.stringify(item))).length;
}

describe('a search by name', () => {
  it('finds the beginning of the first and of the last name, newest first', async () => {
    const practiceId = await aPracticeId();
    const patients: Patient[] = [ada, { firstName: 'Okan', lastName: 'Adamczyk' }, { firstName: 'Lee', lastName: '-' }];
    const stored = await Promise.all(
      patients.map(async (patient, index) => store(practiceId, { patient }, now + index)),
    );
    const [first, second, third] = stored.map(({ sessionId }) => sessionId);
    expect(await idsFor(practiceId, 'ada')).toEqual([second, first]);
    expect(await idsFor(practiceId, 'OKAFOR, Ada')).toEqual([first]);
    expect(await idsFor(practiceId, 'ada okafor')).toEqual([first]);
    expect(await idsFor(practiceId, ' Lee ')).toEqual([third]);
    expect(await idsFor(practiceId, 'kafor')).toEqual([]);
    expect(await idsFor(practiceId, '-')).toEqual([]);
  });

  it('finds the second of two last names by itself, and what follows “de la”', async () => {
    const practiceId = await aPracticeId();
    const patients = [
      { firstName: 'María', lastName: 'López García' },
      { firstName: 'Ana', lastName: 'De la Cruz' },
    ];
    const [maria, ana] = await Promise.all(patients.map(async (patient) => store(practiceId, { patient })));
    for (const text of ['garcia', 'lopez', 'maria', 'García, María', 'maría garcía', 'Maria Garcia 182.50'])
      expect(await idsFor(practiceId, text), text).toEqual([maria?.sessionId]);
    const eva = await store(practiceId, { patient: { firstName: 'Eva', lastName: 'García' } }, now + 1);
    expect(await idsFor(practiceId, 'garcia')).toEqual([eva.sessionId, maria?.sessionId]);
    for (const text of ['cruz', 'de la cruz', 'ana de la', 'ana cruz'])
      expect(await idsFor(practiceId, text), text).toEqual([ana?.sessionId]);
  });

  it('finds the last name before the first, also of a patient with two last names beside one with one', async () => {
    const practiceId = await aPracticeId();
    const lasts = ['López', 'López García', 'Lopez'];
    const [one, two, other] = await Promise.all(
      lasts.map(async (lastName, index) =>
        store(practiceId, { patient: { firstName: index === 2 ? 'Ana' : 'María', lastName } }, now + index),
      ),
    );
    for (const text of ['maria lopez', 'lopez maria', 'López, María', 'lopez m', 'Lopez, Maria 182.50'])
      expect(await idsFor(practiceId, text), text).toEqual([two?.sessionId, one?.sessionId]);
    expect(await idsFor(practiceId, 'lopez ana')).toEqual([other?.sessionId]);
  });

  it('finds a second given name and a middle last name if nobody is called so first', async () => {
    const practiceId = await aPracticeId();
    const people: Patient[] = [
      { firstName: 'María José', lastName: 'López-Pérez García' },
      { firstName: 'Joseph', lastName: 'Imperez' },
    ];
    const [maria] = await Promise.all(people.map(async (patient) => store(practiceId, { patient })));
    for (const text of ['pérez', 'Pérez José', 'maria perez', 'jose garcia', 'lopez jos', 'Perez 182.50'])
      expect(await idsFor(practiceId, text), text).toEqual([maria?.sessionId]);
    expect(await idsFor(practiceId, 'perez ana')).toEqual([]);
    expect(await idsFor(practiceId, 'pérez', { byName: false })).toEqual([]);
    const perez = await store(practiceId, { patient: { firstName: 'Ana', lastName: 'Pérez' } });
    expect(await idsFor(practiceId, 'pérez')).toEqual([perez.sessionId]);
  });

  it('finds a middle given name although the letters are also within the name of another patient', async () => {
    const practiceId = await aPracticeId();
    const people: Patient[] = [
      { firstName: 'Mary Ann', lastName: 'Garcia Lee' },
      { firstName: 'Joanna', lastName: 'Lee' },
    ];
    const [mary] = await Promise.all(people.map(async (patient) => store(practiceId, { patient })));
    expect(await idsFor(practiceId, 'lee ann')).toEqual([mary?.sessionId]);
  });

  it('finds an initial and a last name although the last names of another patient begin like both', async () => {
    const practiceId = await aPracticeId();
    const people: Patient[] = [
      { firstName: 'Sofia', lastName: 'Garcia' },
      { firstName: 'Pedro', lastName: 'Santos Garcia' },
    ];
    const stored = await Promise.all(people.map(async (patient, index) => store(practiceId, { patient }, now - index)));
    expect(await idsFor(practiceId, 's garcia')).toEqual(stored.map(({ sessionId }) => sessionId));
  });

  it('reads on after a page of names or numbers, and then says that it has found all', async () => {
    const practiceId = await aPracticeId();
    const oldest = await store(practiceId, { patient: { firstName: 'Lee José', lastName: 'Ng' } }, now - minute);
    await store(practiceId, { patient: { firstName: 'Al', lastName: 'Ng' } });
    const shortPages = aroundEachCall(database, async ({ operation, input }, perform) =>
      operation === 'Query' ? database.call('Query', { ...input, Limit: 1 }) : perform(),
    );
    for (const text of ['josé', receiptNumberOf(oldest)])
      expect(
        await searchSessions({ database: shortPages }, { practiceId, text, byName: true }, now),
        text,
      ).toMatchObject({ sessions: [{ sessionId: oldest.sessionId }], complete: true });
  });

  it.each([
    ['names', 'josé'],
    ['last names', 'lee 2nd'],
    ['receipt numbers', '10ABCDEFGH'],
  ])('says that there may be more if a practice has more %s than are read', async (_, text) => {
    const practiceId = await aPracticeId();
    const call = (async (operation, input) =>
      operation === 'Query'
        ? { Items: [], LastEvaluatedKey: { practiceId: { S: practiceId } } }
        : database.call(operation, input)) as typeof database.call;
    const found = await searchSessions({ database: { ...database, call } }, { practiceId, text, byName: true }, now);
    expect(found).toMatchObject({ sessions: [], complete: false });
  });

  it('finds an invoice whose ID is a word and a number, which could be a name and an amount', async () => {
    const practiceId = await aPracticeId();
    const { sessionId } = await store(practiceId, { invoiceId: 'Claim 1043' });
    await store(practiceId, { patient: { firstName: 'Claim', lastName: 'Okafor' }, amountCents: 5 });
    expect(await idsFor(practiceId, 'Claim 1043')).toEqual([sessionId]);
  });

  it('finds nothing of another practice, by any means', async () => {
    const [own, other] = [await aPracticeId(), await aPracticeId()];
    const { sessionId, invoiceId } = await store(other);
    for (const text of ['Okafor', 'Ada', invoiceId, sessionId, ` ${sessionId} `, receiptNumberOf({ sessionId })]) {
      expect(await search(own, text), text).toMatchObject({ sessions: [], complete: true });
      expect(await search(other, text), text).toMatchObject({ sessions: [{ sessionId }], complete: true });
    }
  });

  it('finds the sessions that are asked for by their IDs, whoever asks, and none of another practice', async () => {
    const practiceId = await aPracticeId();
    const [older, newer, other] = await Promise.all([
      store(practiceId),
      store(practiceId, { status: 'failed' }, now + 1),
      store(await aPracticeId()),
    ]);
    const sessionIds = [older, newer, other, older]
      .map(({ sessionId }) => sessionId)
      .concat('', 'ses_'.padEnd(3000, '0'));
    const asked = { text: undefined, sessionIds, byName: false };
    expect(await idsFor(practiceId, '', asked)).toEqual([newer.sessionId, older.sessionId]);
    const failed = await search(practiceId, '', { ...asked, outcome: ['failed'] });
    expect(failed).toMatchObject({ sessions: [{ sessionId: newer.sessionId }], complete: true });
  });

  it('finds nothing for a caller who may not see names', async () => {
    const practiceId = await aPracticeId();
    const { sessionId } = await store(practiceId);
    expect(await idsFor(practiceId, 'Okafor', { byName: false })).toEqual([]);
    expect(await idsFor(practiceId, 'INV-1043', { byName: false })).toEqual([sessionId]);
  });

  it('finds the amount beside the name', async () => {
    const practiceId = await aPracticeId();
    const { sessionId } = await store(practiceId, { amountCents: 12_500 });
    await store(practiceId, { amountCents: 100 });
    expect(await idsFor(practiceId, 'okafor $125')).toEqual([sessionId]);
    expect(await idsFor(practiceId, '125.00 Ada')).toEqual([sessionId]);
    expect(await idsFor(practiceId, 'okafor 125')).toEqual([sessionId]);
  });

  it('finds an amount alone among the sessions of the days, even after the patient was erased, but not a number', async () => {
    const practiceId = await aPracticeId();
    const early = await store(practiceId, { amountCents: 12_500 }, now - minute);
    const { sessionId } = await store(practiceId, { ...ended, amountCents: 12_500 });
    await store(practiceId, { amountCents: 100 });
    await erasePatient({ database, randomBytes }, { practiceId, sessionId, author }, now);
    expect(await idsFor(practiceId, '$125')).toEqual([sessionId, early.sessionId]);
    expect(await idsFor(practiceId, '125.00', { byName: false, createdSince: toIso(now) })).toEqual([sessionId]);
    expect(await idsFor(practiceId, '125')).toEqual([]);
  });

  it('joins outcomes and days', async () => {
    const practiceId = await aPracticeId();
    const open = await store(practiceId);
    const failed = await store(practiceId, ended, now - minute);
    expect(await idsFor(practiceId, 'okafor', { outcome: ['failed', 'returned'] })).toEqual([failed.sessionId]);
    expect(await idsFor(practiceId, 'okafor', { createdSince: toIso(now) })).toEqual([open.sessionId]);
    expect(await idsFor(practiceId, 'okafor', { createdBefore: open.createdAt })).toEqual([failed.sessionId]);
  });

  it('says that there are more than 100', async () => {
    const practiceId = await aPracticeId();
    await Promise.all(Array.from({ length: 100 }, async (_, index) => store(practiceId, {}, now + index)));
    expect(await search(practiceId, 'ada')).toMatchObject({ complete: true });
    await store(practiceId);
    const { sessions, complete } = await search(practiceId, 'ada');
    expect([sessions.length, complete]).toEqual([100, false]);
  });

  it('finds the newest of more than 100 equal names, and whatever fits the days, the amount or the outcome', async () => {
    const practiceId = await aPracticeId();
    const stored = await Promise.all(
      Array.from({ length: 130 }, async (_, index) =>
        store(practiceId, index < 5 || index === 129 ? { ...ended, amountCents: 100 } : {}, now + index),
      ),
    );
    const newest = stored.map(({ sessionId }) => sessionId).reverse();
    expect(await idsFor(practiceId, 'okafor')).toEqual(newest.slice(0, 100));
    const createdSince = toIso(now + 100);
    const recent = await search(practiceId, 'okafor', { createdSince });
    expect(recent.sessions.map(({ sessionId }) => sessionId)).toEqual(newest.slice(0, 30));
    expect(recent.complete).toBe(true);
    expect(await idsFor(practiceId, 'okafor', { createdBefore: createdSince })).toEqual(newest.slice(30));
    const others = [...newest.slice(0, 1), ...newest.slice(125)];
    expect(await idsFor(practiceId, 'okafor $1.00')).toEqual(others);
    expect(await idsFor(practiceId, 'okafor', { outcome: ['failed'] })).toEqual(others);
    const pending = await search(practiceId, 'okafor', { outcome: ['pending'] });
    expect(pending.sessions.map(({ sessionId }) => sessionId)).toEqual(newest.slice(1, 101));
    expect(pending.complete).toBe(false);
  });

  it('that is for links opened but unpaid leaves out those whose invoice another link pays, as the list does', async () => {
    const opened = { openedAt: toIso(now), invoiceId: 'INV-twice' };
    const paying = { status: 'processing', invoiceId: 'INV-twice', claimsInvoice: true } as const;
    for (const invoiceGuard of [true, false]) {
      const practiceId = await aPracticeId(invoiceGuard);
      const { sessionId } = await store(practiceId, opened);
      await transact(database, { claim: claimInvoice(database, await store(practiceId, paying)) });
      const expected = invoiceGuard ? [] : [sessionId];
      expect(await idsFor(practiceId, 'okafor', { outcome: ['opened'] })).toEqual(expected);
      expect(await idsFor(practiceId, 'okafor', { outcome: ['opened', 'pending'] })).toEqual([sessionId]);
    }
  });
});

describe('a search by number', () => {
  it.each(['inv-1043', 'INV-1043', ' Inv-1043 '])('finds an invoice that is typed as “%s”', async (text) => {
    const practiceId = await aPracticeId();
    const { sessionId } = await store(practiceId);
    expect(await idsFor(practiceId, text)).toEqual([sessionId]);
  });

  it.each(['claim 1043-ab', 'CLAIM 1043-AB', 'Claim 1043–Ab'])('finds “Claim 1043-Ab” as “%s”', async (text) => {
    const practiceId = await aPracticeId();
    const { sessionId } = await store(practiceId, { invoiceId: 'Claim 1043-Ab' });
    expect(await idsFor(practiceId, text)).toEqual([sessionId]);
  });

  it('finds the receipt of any session, with one that is typed as it is heard', async () => {
    const practiceId = await aPracticeId();
    const sessionId = `ses_${ulid(now, () => new Uint8Array(10)).slice(0, 16)}10ABCDEFGH`;
    await store(practiceId, { sessionId });
    await Promise.all(Array.from({ length: 5 }, async () => store(practiceId)));
    expect(await idsFor(practiceId, 'IO-abcd-efgh')).toEqual([sessionId]);
    expect(await search(practiceId, '10ABCDEFGJ')).toMatchObject({ sessions: [], complete: true });
  });
});

describe('once the patient’s details are removed, nothing of the name is left', () => {
  it.each([
    [
      'on request',
      async ({ practiceId, sessionId }: Session) =>
        erasePatient({ database, randomBytes }, { practiceId, sessionId, author }, now),
    ],
    ['after the retention', async ({ sessionId }: Session) => scrubSession(database, sessionId, now)],
  ])('%s', async (_, remove) => {
    const practiceId = await aPracticeId();
    const session = await store(practiceId, { ...ended, patient: zebulon });
    expect(await namesLeft(practiceId)).toBe(4);
    await remove(session);
    expect(await namesLeft(practiceId)).toBe(0);
    expect(await idsFor(practiceId, 'Quackenbush')).toEqual([]);
    expect(await idsFor(practiceId, 'INV-1043')).toEqual([session.sessionId]);
  });

  it('and what an index that lags still finds is not shown', async () => {
    const practiceId = await aPracticeId();
    const { sessionId } = await store(practiceId, ended);
    await update(database, 'sessions', { sessionId }, { remove: ['patient'] }, sessionRow);
    expect(await idsFor(practiceId, 'Okafor')).toEqual([]);
  });
});
