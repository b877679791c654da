import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hour, toIso } from '../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { updateEndpointRow } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { enableBrokenEndpoints } from '../../functions/webhooks/enable-broken-endpoints.ts';
import { aPractice } from '../practices/a-practice.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const missedSince = toIso(now - 121 * hour);
const outage = { disabledSince: now - 2 * hour, author };

const disabledAt = (time: number) => ({ status: 'disabled', disabledAt: toIso(time) }) as const;
const failing = { ...disabledAt(now - hour), disabledReason: 'failing', missedSince } as const;

async function anEndpointOfAPractice(differences: Partial<WebhookEndpoint>) {
  const { practiceId } = await aPractice(tables);
  const made = await anEndpoint(tables, { practiceId, ...differences });
  const key = { practiceId, endpointId: made.endpointId };
  return { ...made, key, row: await made.endpoint() };
}

async function enabled(key: { readonly practiceId: string }, database = tables.database) {
  const found: unknown[] = [];
  for await (const each of enableBrokenEndpoints({ database, randomBytes }, outage, now))
    if (each.practiceId === key.practiceId) found.push(each);
  return found;
}

describe('after an outage of ours, enabling the endpoints that it disabled', () => {
  it.each([outage.disabledSince, now])(
    'enables one that was disabled as failing since it began, at %i',
    async (time) => {
      const { key, endpoint } = await anEndpointOfAPractice({ ...failing, disabledAt: toIso(time) });
      expect(await enabled(key)).toEqual([{ ...key, missedSince }]);
      expect(await endpoint()).toMatchObject({ status: 'enabled' });
      expect(await endpoint()).not.toHaveProperty('disabledReason');
      const { entries } = await listAuditLog(tables.database, key.practiceId, { limit: 10 });
      expect(entries.filter(({ action }) => action === 'webhook_endpoint.enabled')).toMatchObject([
        { target: key.endpointId, author, details: { missedSince } },
      ]);
      expect(await enabled(key)).toEqual([]);
    },
  );

  it.each([
    ['was disabled before it', { ...failing, disabledAt: toIso(outage.disabledSince - 1) }],
    ['answered 410', { ...failing, disabledReason: 'gone' }],
    ['was disabled by a person', disabledAt(now)],
    ['is enabled', { missedSince }],
  ] satisfies [string, Partial<WebhookEndpoint>][])('leaves alone one that %s', async (_, differences) => {
    const { key, row, endpoint } = await anEndpointOfAPractice(differences);
    expect(await enabled(key)).toEqual([]);
    expect(await endpoint()).toEqual(row);
  });

  it.each([
    ['enables an endpoint that missed more meanwhile', { missedSince: toIso(now - 122 * hour) }, 'enabled'],
    ['leaves alone one that its owner disabled meanwhile', { disabledReason: undefined }, 'disabled'],
  ] as const)('%s', async (_, change, status) => {
    const { key, row, endpoint } = await anEndpointOfAPractice(failing);
    let isChanged = false;
    const database = beforeEachCall(tables.database, async ({ operation }) => {
      if (operation !== 'TransactWriteItems' || isChanged) return;
      isChanged = true;
      const remove = 'missedSince' in change ? [] : (['disabledReason'] as const);
      const set = { missedSince: toIso(now - 122 * hour) };
      await updateEndpointRow(tables.database, row, { set, remove });
    });
    const expected = { ...key, missedSince: toIso(now - 122 * hour) };
    expect(await enabled(key, database)).toEqual(status === 'enabled' ? [expected] : []);
    expect(await endpoint()).toMatchObject({ status });
  });

  it('names an endpoint whose write fails before it fails, since only the answer may be lost', async () => {
    const { key } = await anEndpointOfAPractice(failing);
    const database = beforeEachCall(tables.database, ({ operation }) => {
      if (operation === 'TransactWriteItems') throw new Error('no answer');
    });
    const enabling = enableBrokenEndpoints({ database, randomBytes }, outage, now);
    expect(await enabling.next()).toEqual({ done: false, value: { ...key, missedSince } });
    await expect(enabling.next()).rejects.toThrow('no answer');
    expect(await enabled(key)).toHaveLength(1);
  });

  it('is refused if the outage is to begin in the future', async () => {
    const { key, endpoint } = await anEndpointOfAPractice(failing);
    const future = { ...outage, disabledSince: now + 1 };
    const enabling = enableBrokenEndpoints({ ...tables, randomBytes }, future, now);
    expect((await problemOf(enabling.next())).code).toBe('since_in_future');
    expect(await endpoint()).toMatchObject({ status: 'disabled' });
    expect(await enabled(key)).toHaveLength(1);
  });
});
