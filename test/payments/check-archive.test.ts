import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { day, hour, minute, toIso } from '../../functions/domain/time.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { evidenceArchive, type EvidenceArchive } from '../../functions/messages/payments/evidence-archive.ts';
import { checkArchive } from '../../functions/payments/archive-evidence.ts';
import { putEvidence } from '../../functions/store/payments/authorizations.ts';
import { putEvent } from '../../functions/store/webhooks/events.ts';
import { insert } from '../../functions/store/rows.ts';
import { transact } from '../../functions/store/transact.ts';
import { startEvidenceBucket } from '../support/evidence-bucket.ts';
import { anEvidence, aPractice } from '../support/examples.ts';
import { startTestTables, type TestDatabase } from '../support/tables.ts';
import { storeSession } from '../support/create-practice.ts';

const bucket = await startEvidenceBucket();
const stored = evidenceArchive(bucket.bucket, bucket.client);

const practiceIds = ['prc_b', 'prc_a'] as const;

let database: TestDatabase;
let now: number;
let looked: string[];
const archive: EvidenceArchive = {
  ...stored,
  async has(key) {
    looked.push(key.sessionId);
    return stored.has(key);
  },
};
const clock = () => now;
let tools: Parameters<typeof checkArchive>[0];

// The check reads the authorizations of all practices since it last ran.
beforeEach(async () => {
  ({ database } = await startTestTables('live'));
  for (const practiceId of practiceIds) await insert(database, 'practices', aPractice({ practiceId }), 'practiceId');
  now = Date.now();
  looked = [];
  tools = { database, archive, clock };
});

/** A session that was authorized, without its evidence. */
async function authorize(at: number, practiceId: string = practiceIds[0]) {
  const session = await storeSession(database, { practiceId, status: 'processing', sequence: 1 });
  await transact(database, { event: putEvent(database, 'session.payment.processing', session, 'pending', at) });
  const evidence = anEvidence(session, toIso(at));
  return { ...evidence, key: `evidence/${practiceId}/${session.sessionId}.json` };
}

async function authorizeWithEvidence(at: number, practiceId?: string) {
  const { key, ...evidence } = await authorize(at, practiceId);
  await transact(database, { evidence: putEvidence(database, evidence) });
  return { key, evidence };
}

describe('the check of the archive', () => {
  it('copies what is missing, of every practice, and looks everything up once', async () => {
    const [there, missing, elsewhere] = await Promise.all([
      authorizeWithEvidence(now - hour),
      authorizeWithEvidence(now - 29 * day),
      authorizeWithEvidence(now - 2 * hour, practiceIds[1]),
    ]);
    await stored.put(there.evidence);
    await checkArchive(tools);
    for (const { key, evidence } of [there, missing, elsewhere]) expect(await bucket.read(key)).toEqual(evidence);
    expect(looked).toHaveLength(3);
    await checkArchive(tools);
    expect(looked).toHaveLength(3);
  });

  it('also copies those of a practice whose row is invalid', async () => {
    const practiceId = 'prc_invalid';
    await insert(database, 'practices', { practiceId, name: 'Lakeside' }, 'practiceId');
    const { key, evidence } = await authorizeWithEvidence(now, practiceId);
    now += hour;
    await checkArchive(tools);
    expect(await bucket.read(key)).toEqual(evidence);
  });

  it('leaves authorizations of the last ten minutes to the next run', async () => {
    const { key } = await authorizeWithEvidence(now - 9 * minute);
    await checkArchive(tools);
    expect(await bucket.keys()).not.toContain(key);
    now += hour;
    await checkArchive(tools);
    expect(await bucket.keys()).toContain(key);
  });

  it('catches up after the archive did not answer for hours', async () => {
    const { key } = await authorizeWithEvidence(now - 5 * minute);
    const away: EvidenceArchive = { ...archive, put: () => Promise.reject(new Error('away')) };
    now += hour;
    await expect(checkArchive({ ...tools, archive: away })).rejects.toThrow('away');
    now += 5 * hour;
    await checkArchive(tools);
    expect(await bucket.keys()).toContain(key);
  });

  it('continues where its time ran out', async () => {
    const keys: string[] = [];
    for (const practiceId of practiceIds) keys.push((await authorizeWithEvidence(now - 5 * minute, practiceId)).key);
    now += hour;
    const start = now;
    let calls = 0;
    // Enough time for one page.
    await checkArchive({ ...tools, clock: () => start + (calls++ < 2 ? 0 : hour) });
    expect((await bucket.keys()).filter((key) => keys.includes(key))).toHaveLength(1);
    await checkArchive(tools);
    expect(await bucket.keys()).toEqual(expect.arrayContaining(keys));
  });

  it('reads more events of one practice than fit on a page, even from the same moment', async () => {
    const at = now - 5 * minute;
    const sessionId = (number: number) => `ses_${String(number).padStart(26, '0')}`;
    await Promise.all(
      Array.from({ length: 250 }, (_, number) => {
        const eventId = sessionEventId(sessionId(number), number % 12);
        const row = {
          eventId,
          practiceId: 'prc_a',
          type: 'session.payment.processing',
          createdAt: toIso(at),
          body: '{}',
        };
        const Item = { ...row, position: `${toIso(at)}#${eventId}` };
        return database.documents.send(new PutCommand({ TableName: database.tables.events, Item }));
      }),
    );
    now += hour;
    const has: EvidenceArchive['has'] = async (key) => looked.push(key.sessionId) > 0;
    await checkArchive({ ...tools, archive: { ...archive, has } });
    expect(looked.sort()).toEqual(Array.from({ length: 250 }, (_, number) => sessionId(number)));
  });

  it('stops at missing evidence instead of skipping it', async () => {
    const { key, ...evidence } = await authorize(now - 5 * minute);
    now += hour;
    await expect(checkArchive(tools)).rejects.toThrow(`the evidence of ${evidence.sessionId} is missing`);
    now += hour;
    await expect(checkArchive(tools)).rejects.toThrow();
    await transact(database, { evidence: putEvidence(database, evidence) });
    await checkArchive(tools);
    expect(await bucket.read(key)).toEqual(evidence);
  });
});
