import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addKey, listKeys } from '../../functions/practices/keys.ts';
import {
  createPlatform,
  joinPlatform,
  leavePlatform,
  listPlatforms,
  showPlatform,
  updatePlatform,
} from '../../functions/practices/platforms.ts';
import {
  createPlatformPractice,
  suspendPlatformPractice,
  searchPractices,
} from '../../functions/practices/platform-practices.ts';
import { getSettings, updateSettings } from '../../functions/practices/settings.ts';
import { suspendPractice } from '../../functions/practices/suspend-and-close.ts';
import { getExistingPractice, updatePractice } from '../../functions/store/practices/practices.ts';
import { stillOfPlatform } from '../../functions/store/practices/platforms.ts';
import { listEvents } from '../../functions/webhooks/list-events.ts';
import { practiceJoinedWebhook, practiceLeftWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { anEntry, author } from '../support/create-practice.ts';
import { aPractice as aPracticeRow } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { putAll } from '../support/put-all.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();
const now = Date.parse('2026-11-20T15:00:00.000Z');
const since = '2026-11-20T15:00:00.000Z';

const practiceWebhook = z.union([practiceJoinedWebhook, practiceLeftWebhook]);

const aPlatform = () => createPlatform(practiceTools(tables), { author, name: 'Harbor Software' }, now);

async function movesIn(ownerId: string) {
  const { entries } = await listAuditLog(tables.database, ownerId, { limit: 9 });
  return entries.filter(({ action }) => action.endsWith('_platform')).map(({ action, target }) => [action, target]);
}

describe("the operator's fee", () => {
  it('of a platform is in its audit log, and its practices say which one applies', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { platformId } = await aPlatform();
    await joinPlatform(tools, { practiceId, platformId, author }, now);
    const applied = async () => (await getSettings(tools, { practiceId })).appliedFee;
    expect(await applied()).toBeUndefined();
    const terms = { applicationFeeCents: 30, applicationFeeBasisPoints: 100 };
    expect(await updatePlatform(tools, { platformId, author, ...terms }, now + 1)).toMatchObject({
      platformId,
      ...terms,
    });
    expect(await applied()).toEqual({ cents: 30, basisPoints: 100, setFor: 'platform' });
    expect((await listPlatforms(tools)).platforms.find((each) => each.platformId === platformId)).toMatchObject(terms);
    await updateSettings(tools, { practiceId, author, applicationFeeCents: 0 }, now);
    expect(await applied()).toEqual({ cents: 0, basisPoints: 0, setFor: 'practice' });
    await updateSettings(tools, { practiceId, author, applicationFeeCents: null }, now);
    const removing = { platformId, author, applicationFeeCents: null };
    expect(await updatePlatform(tools, removing, now + 2)).not.toHaveProperty('applicationFeeCents');
    expect(await applied()).toEqual({ cents: 0, basisPoints: 100, setFor: 'platform' });
    const { entries } = await listAuditLog(tables.database, platformId, { limit: 2 });
    expect(entries).toMatchObject([
      { action: 'platform.updated', target: platformId, author, details: { removed: 'applicationFeeCents' } },
      { details: { applicationFeeCents: '30', applicationFeeBasisPoints: '100' } },
    ]);
  });

  it.each([
    [{ applicationFeeCents: 10_001 }, 'invalid_request'],
    [{ applicationFeeBasisPoints: 5001 }, 'invalid_request'],
    [{}, 'invalid_request'],
  ])('of a platform is not %j', async (terms, code) => {
    const { platformId } = await aPlatform();
    expect(await problemOf(updatePlatform(practiceTools(tables), { platformId, author, ...terms }, now))).toMatchObject(
      {
        code,
      },
    );
  });

  it('of a platform that does not exist is refused, and creates none', async () => {
    const given = { platformId: 'plt_none', author, applicationFeeCents: 1 };
    expect(await problemOf(updatePlatform(practiceTools(tables), given, now))).toMatchObject({
      code: 'platform_not_found',
    });
    expect((await listPlatforms(practiceTools(tables))).platforms.map((each) => each.platformId)).not.toContain(
      'plt_none',
    );
  });
});

describe('a practice', () => {
  it('joins a platform and leaves it, with an entry in the audit log of both', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { platformId } = await aPlatform();
    const joined = { practiceId, platformId, platformSince: since };
    expect(await joinPlatform(tools, { practiceId, platformId, author }, now)).toEqual(joined);
    expect(await getSettings(tools, { practiceId })).toMatchObject(joined);
    expect((await showPlatform(tools, { platformId })).practices).toMatchObject([{ practiceId, platformSince: since }]);
    expect(await leavePlatform(tools, { practiceId, author }, now + 1)).toMatchObject({ practiceId, platformId });
    expect((await showPlatform(tools, { platformId })).practices).toEqual([]);
    const settings = await getSettings(tools, { practiceId });
    expect([settings.platformId, settings.platformSince]).toEqual([undefined, undefined]);
    const moves = ['practice.left_platform', 'practice.joined_platform'];
    expect(await movesIn(practiceId)).toEqual(moves.map((action) => [action, platformId]));
    expect(await movesIn(platformId)).toEqual(moves.map((action) => [action, practiceId]));
  });

  it('that joins, is created or leaves is an event of the platform, and not of the practice', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { platformId } = await aPlatform();
    await joinPlatform(tools, { practiceId, platformId, author }, now);
    const leftAt = '2026-11-20T15:00:02.000Z';
    const creating = { ...practiceTools(tables), testBankOf: undefined };
    const given = { platformId, author, body: { name: 'Harbor Dental' } };
    const { response: created } = await createPlatformPractice(creating, given, now + 1000);
    await leavePlatform(tools, { practiceId, author }, now + 2000);
    const { events } = await listEvents(tools, { practiceId: platformId, limit: 9 }, now + 2000);
    const bodies = events.map(({ body }) => practiceWebhook.parse(JSON.parse(body)));
    expect(bodies.map(({ type, practiceId: moved, data }) => [type, moved, data])).toEqual([
      ['practice.left', practiceId, { joinedAt: since, leftAt }],
      ['practice.joined', created.practiceId, { joinedAt: created.joinedAt }],
      ['practice.joined', practiceId, { joinedAt: since }],
    ]);
    expect(events.map(({ type, createdAt, eventId }) => [type, createdAt, eventId])).toEqual(
      bodies.map(({ type, created_at, id }) => [type, created_at, id]),
    );
    for (const moved of [practiceId, created.practiceId])
      expect((await listEvents(tools, { practiceId: moved, limit: 9 }, now + 2000)).events).toEqual([]);
  });

  it('cannot join a second platform, not even its own again, before it leaves', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const [first, second] = [await aPlatform(), await aPlatform()];
    await joinPlatform(tools, { practiceId, platformId: first.platformId, author }, now);
    for (const { platformId } of [first, second]) {
      const problem = await problemOf(joinPlatform(tools, { practiceId, platformId, author }, now + 1));
      expect(problem).toMatchObject({ code: 'practice_in_platform' });
      expect(problem.message).toContain(first.platformId);
    }
    expect(await getSettings(tools, { practiceId })).toMatchObject({ platformSince: since });
    expect(await movesIn(second.platformId)).toEqual([]);
    const ofSecond = { practiceId: second.platformId, limit: 9 };
    expect((await listEvents(tools, ofSecond, now + 1)).events).toEqual([]);
  });

  it('cannot leave twice, or join if it is closed', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { platformId } = await aPlatform();
    expect(await problemOf(leavePlatform(tools, { practiceId, author }, now))).toMatchObject({
      code: 'practice_in_no_platform',
    });
    await updatePractice(tables.database, practiceId, { set: { closedAt: since } }, anEntry(practiceId));
    expect(await problemOf(joinPlatform(tools, { practiceId, platformId, author }, now))).toMatchObject({
      code: 'practice_closed',
    });
    expect(await movesIn(platformId)).toEqual([]);
  });

  it('is no longer suspended after it left the platform that suspended it, unless the operator did too', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { platformId } = await aPlatform();
    for (const [suspending, suspendedAt] of [
      [[], undefined],
      [[suspendPractice], since],
    ] as const) {
      await joinPlatform(tools, { practiceId, platformId, author }, now);
      const practice = await getExistingPractice(tables.database, practiceId);
      await suspendPlatformPractice(tools, { practice, author }, now);
      for (const suspend of suspending) await suspend(tools, { practiceId, author }, now);
      await leavePlatform(tools, { practiceId, author }, now);
      expect((await getSettings(tools, { practiceId })).suspendedAt).toBe(suspendedAt);
    }
  });

  it('must exist, and so must the platform', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { platformId } = await aPlatform();
    const unknown = { practiceId: 'prc_none', author };
    const notFound = { code: 'practice_not_found' };
    expect(await problemOf(joinPlatform(tools, { ...unknown, platformId }, now))).toMatchObject(notFound);
    expect(await problemOf(leavePlatform(tools, unknown, now))).toMatchObject(notFound);
    expect(await problemOf(joinPlatform(tools, { practiceId, platformId: 'plt_none', author }, now))).toMatchObject({
      code: 'platform_not_found',
    });
    expect(await movesIn(practiceId)).toEqual([]);
  });

  it('gets no key that manages practices', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const input = { practiceId, author, name: 'x', scopes: ['sessions:read', 'practices:write'] };
    expect((await problemOf(addKey(tools, input, now))).extra).toMatchObject({ errors: [{ pointer: '/scopes' }] });
  });
});

describe('a platform', () => {
  it('is created with a key that manages practices, and can add others', async () => {
    const tools = practiceTools(tables, 'live');
    const { platformId, apiKey } = await aPlatform();
    expect((await listPlatforms(tools)).platforms).toContainEqual({
      platformId,
      name: 'Harbor Software',
      createdAt: since,
    });
    await addKey(tools, { practiceId: platformId, author, name: 'nightly', scopes: ['practices:write'] }, now);
    const { keys } = await listKeys(tools, { practiceId: platformId });
    expect(Object.fromEntries(keys.map(({ name, scopes }) => [name, scopes]))).toEqual({
      'First key': ['sessions:read', 'sessions:write', 'events:read', 'practices:write'],
      nightly: ['practices:write'],
    });
    expect(JSON.stringify(keys)).not.toContain(apiKey.slice(-43));
  });
});

describe("a platform's practices", () => {
  it('are found by any part of their names, sorted, in pages, until they leave', async () => {
    const { tools } = await aPractice(tables);
    const { platformId } = await aPlatform();
    const joined = { platformId, platformSince: since };
    const clinics = Array.from({ length: 51 }, (_, index) => `Clinic ${String(51 - index).padStart(2, '0')}`);
    const rows = [...clinics, 'Ángeles Dental'].map((name) =>
      aPracticeRow({ ...joined, practiceId: `prc_${randomBytes(6).toString('hex')}`, name }),
    );
    await putAll(tables.database, 'practices', rows);
    const search = async (query: { name?: string; cursor?: string }) => {
      const { data, nextCursor } = await searchPractices(tools, { platformId, ...query });
      return { names: data.map(({ name }) => name), nextCursor };
    };
    expect((await search({ name: 'ANGELES' })).names).toEqual(['Ángeles Dental']);
    expect((await search({ name: 'nic 4' })).names).toEqual(clinics.filter((name) => name.includes(' 4')).reverse());
    expect((await search({ name: 'nobody' })).names).toEqual([]);
    const first = await search({});
    expect(first.names.slice(0, 3)).toEqual(['Ángeles Dental', 'Clinic 01', 'Clinic 02']);
    expect(first.names).toHaveLength(50);
    expect(await search({ cursor: first.nextCursor ?? '' })).toEqual({
      names: ['Clinic 50', 'Clinic 51'],
      nextCursor: null,
    });

    const left = { practiceId: rows.at(-1)?.practiceId ?? '' };
    await leavePlatform(tools, { ...left, author }, now);
    expect((await search({ name: 'angeles' })).names).toEqual([]);
    // An index can lag.
    expect(await stillOfPlatform(tables.database, platformId, [left])).toEqual([]);
  });

  it('say what each one still needs before live payments', async () => {
    const { platformId } = await aPlatform();
    const { practiceId } = aPracticeRow({ practiceId: `prc_${randomBytes(6).toString('hex')}` });
    await putAll(tables.database, 'practices', [aPracticeRow({ practiceId, platformId, platformSince: since })]);
    const { data } = await searchPractices(practiceTools(tables, 'live'), { platformId });
    expect(data).toEqual([
      {
        practiceId,
        name: 'Lakeside Family Practice',
        platformSince: since,
        missingForLinks: ['terms', 'deposit', 'branding'],
      },
    ]);
  });
});
