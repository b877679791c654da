import { describe, expect, it } from 'vitest';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { changeEndpoint } from '../../functions/webhooks/practice-endpoints.ts';
import { author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';
import { practiceTools } from './a-practice.ts';

const tables = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

async function changed(differences: Partial<WebhookEndpoint>, change: Partial<Parameters<typeof changeEndpoint>[1]>) {
  const { practiceId, endpointId, endpoint } = await anEndpoint(tables, differences);
  const answer = await changeEndpoint(practiceTools(tables), { practiceId, endpointId, author, ...change }, now);
  const { entries } = await listAuditLog(tables.database, practiceId, { limit: 10 });
  const actions = entries.map(({ action }) => action).filter((action) => action !== 'practice.updated');
  return { answer, row: await endpoint(), actions };
}

const disabled = { status: 'disabled', disabledAt: '2026-11-20T09:00:00.000Z' } as const;

describe('a change of an endpoint through the API', () => {
  it('of its settings leaves it enabled', async () => {
    const { answer, row, actions } = await changed({}, { url: 'https://new.example.com/' });
    expect(answer).toMatchObject({ url: 'https://new.example.com/', status: 'enabled' });
    expect(row).toMatchObject({ url: 'https://new.example.com/', status: 'enabled' });
    expect(actions).toEqual(['webhook_endpoint.moved']);
  });

  it('of its status alone is one entry in the audit log', async () => {
    const off = await changed({}, { status: 'disabled' });
    expect(off).toMatchObject({ answer: { status: 'disabled' }, row: { status: 'disabled' } });
    expect(off.actions).toEqual(['webhook_endpoint.disabled']);
    const on = await changed(disabled, { status: 'enabled' });
    expect(on).toMatchObject({ answer: { missedSince: disabled.disabledAt }, row: { status: 'enabled' } });
    expect(on.actions).toEqual(['webhook_endpoint.enabled']);
  });

  it('of its settings and its status makes both, the settings first', async () => {
    const { row, actions } = await changed(disabled, { url: 'https://new.example.com/', status: 'enabled' });
    expect(row).toMatchObject({ url: 'https://new.example.com/', status: 'enabled' });
    expect(actions).toEqual(['webhook_endpoint.enabled', 'webhook_endpoint.moved']);
  });

  it('with null for the event types wants all of them, and without them keeps those it has', async () => {
    const eventTypes = ['session.payment.cancelled'] as const;
    const kept = await changed({ eventTypes: [...eventTypes] }, { url: 'https://new.example.com/' });
    expect(kept.row.eventTypes).toEqual(eventTypes);
    const all = await changed({ eventTypes: [...eventTypes] }, { eventTypes: null });
    expect(all.row).not.toHaveProperty('eventTypes');
  });

  it("with null for a platform's practices is about all of them", async () => {
    const ofPlatform = { practiceId: 'plt_harbor', practiceIds: ['prc_lakeside'] };
    const all = await changed(ofPlatform, { practiceIds: null });
    expect(all.row).not.toHaveProperty('practiceIds');
  });
});
