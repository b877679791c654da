import { describe, expect, it } from 'vitest';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { recordSuccess } from '../../functions/store/webhooks/endpoint-health.ts';
import { changeEndpoint } from '../../functions/webhooks/practice-endpoints.ts';
import { showEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';
import { practiceTools } from './a-practice.ts';

const tables = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

async function changed(differences: Partial<WebhookEndpoint>, change: Partial<Parameters<typeof changeEndpoint>[1]>) {
  const { practiceId, endpointId, endpoint } = await anEndpoint(tables, differences);
  const answer = await changeEndpoint(practiceTools(tables), { practiceId, endpointId, author, ...change }, now);
  const { entries } = await listAuditLog(tables.database, practiceId, { limit: 10 });
  const written = entries.filter(({ action }) => action !== 'practice.updated');
  const actions = written.map(({ action }) => action);
  return { answer, row: await endpoint(), actions, details: written.at(-1)?.details };
}

const disabled = { status: 'disabled', disabledAt: '2026-11-20T09:00:00.000Z' } as const;

describe('a change of an endpoint through the API', () => {
  it('of its settings leaves it enabled', async () => {
    const old = { url: 'https://old.example.com/in?token=1' };
    const { answer, row, actions, details } = await changed(old, { url: 'https://new.example.com/?token=2' });
    const moved = { url: 'https://new.example.com/?token=2', status: 'enabled' };
    expect(answer).toMatchObject(moved);
    expect(row).toMatchObject(moved);
    expect(actions).toEqual(['webhook_endpoint.moved']);
    expect(details).toEqual({ from: 'https://old.example.com/in', url: 'https://new.example.com/' });
  });

  it('of its status alone is one entry in the audit log', async () => {
    const off = await changed({}, { status: 'disabled' });
    expect(off).toMatchObject({ answer: { status: 'disabled' }, row: { status: 'disabled' } });
    expect(off.actions).toEqual(['webhook_endpoint.disabled']);
    const on = await changed(disabled, { status: 'enabled' });
    expect(on).toMatchObject({ answer: { missedSince: disabled.disabledAt }, row: { status: 'enabled' } });
    expect(on.actions).toEqual(['webhook_endpoint.enabled']);
  });

  it('of its settings and its status makes both', async () => {
    const { row, actions } = await changed(disabled, { url: 'https://new.example.com/', status: 'enabled' });
    expect(row).toMatchObject({ url: 'https://new.example.com/', status: 'enabled' });
    expect(actions.toSorted()).toEqual(['webhook_endpoint.enabled', 'webhook_endpoint.moved']);
  });

  it('with null for the event types wants all of them, and without them keeps those it has', async () => {
    const eventTypes = ['session.payment.cancelled'] as const;
    const kept = await changed({ eventTypes: [...eventTypes] }, { url: 'https://new.example.com/' });
    expect(kept.row.eventTypes).toEqual(eventTypes);
    const all = await changed({ eventTypes: [...eventTypes] }, { eventTypes: null });
    expect(all.row).not.toHaveProperty('eventTypes');
    expect(all).toMatchObject({ actions: ['webhook_endpoint.updated'], details: { eventTypes: 'all' } });
  });

  it("with null for a platform's practices is about all of them", async () => {
    const practiceIds = [`prc_${'a'.repeat(20)}`, `prc_${'b'.repeat(20)}`];
    const all = await changed({ practiceId: 'plt_harbor', practiceIds }, { practiceIds: null });
    expect(all.row).not.toHaveProperty('practiceIds');
    expect(all.details).toEqual({ practiceIds: 'all' });
    const same = await changed({ practiceId: 'plt_lake', practiceIds }, { practiceIds });
    expect(same.row).toMatchObject({ practiceIds });
    expect(same.details).toEqual({ practiceIds: practiceIds.join(' ') });
  });

  it.each(['enabled', 'disabled'] as const)('to %s is refused for an ID that none can have', async (status) => {
    const key = { practiceId: 'prc_lakeside', endpointId: `whe_${'x'.repeat(3000)}`, author };
    const { code } = await problemOf(changeEndpoint(practiceTools(tables), { ...key, status }, now));
    expect(code).toBe('webhook_endpoint_not_found');
  });

  it('is what a look at the endpoint shows, without its secret', async () => {
    const { practiceId, endpointId } = await anEndpoint(tables);
    const answer = await changeEndpoint(
      practiceTools(tables),
      { practiceId, endpointId, author, url: 'https://new.example.com/' },
      now,
    );
    const shown = await showEndpoint(tables, { practiceId, endpointId });
    expect(shown).toMatchObject({ endpointId, url: 'https://new.example.com/' });
    expect({ ...shown, missedSince: undefined }).toEqual(answer);
    expect(shown).not.toHaveProperty('signingSecret');
  });

  it('of its event types says nothing of an outage that ended in the meantime', async () => {
    const { practiceId, endpointId, endpoint } = await anEndpoint(tables, { missedSince: disabled.disabledAt });
    const asRead = await endpoint();
    const database = beforeEachCall(tables.database, async ({ operation }) => {
      if (operation === 'TransactWriteItems') await recordSuccess(tables.database, asRead, now);
    });
    const change = { practiceId, endpointId, author, eventTypes: null };
    const answer = await changeEndpoint({ ...practiceTools(tables), database }, change, now);
    expect(answer.missedSince).toBeUndefined();
  });
});
