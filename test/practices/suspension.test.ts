import { describe, expect, it } from 'vitest';
import { offeredIn } from '../../functions/domain/payments/authorization.ts';
import { day } from '../../functions/domain/time.ts';
import { getSettings, listPractices } from '../../functions/practices/settings.ts';
import { resumePractice, suspendPractice } from '../../functions/practices/suspend-and-close.ts';
import { authorizePayment } from '../../functions/sessions/authorize.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getExistingPractice } from '../../functions/store/practices/practices.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { author, storeSession } from '../support/create-practice.ts';
import { aBankConnection } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice } from './a-practice.ts';

const tables = await startTestTables();
const now = Date.parse('2026-11-20T15:00:00.000Z');
const suspendedAt = '2026-11-20T15:00:00.000Z';
const source = { address: '192.0.2.1', userAgent: 'a browser' };

async function aConnectedSession(practiceId: string) {
  return storeSession(
    tables.database,
    {
      practiceId,
      expiresAt: '2026-11-20T16:00:00.000Z',
      ...aBankConnection,
    },
    now,
  );
}

describe('a suspended practice', () => {
  it('stays suspended since the first time until it is resumed, with one entry each', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const input = { practiceId, author };
    const suspended = { practiceId, status: 'suspended', suspendedAt };
    expect(await suspendPractice(tools, input, now)).toEqual(suspended);
    expect(await suspendPractice(tools, input, now + 1000)).toEqual(suspended);
    expect(await getSettings(tools, input)).toMatchObject({ suspendedAt });
    expect((await listPractices(tools)).practices).toContainEqual(expect.objectContaining({ practiceId, suspendedAt }));
    expect(await resumePractice(tools, input, now + 2000)).toEqual({ practiceId, status: 'active' });
    expect(await resumePractice(tools, input, now + 3000)).toEqual({ practiceId, status: 'active' });
    expect(await getSettings(tools, input)).not.toHaveProperty('suspendedAt');
    const { entries } = await listAuditLog(tables.database, practiceId, { limit: 9 });
    const changes = entries.filter(({ action }) => action !== 'practice.created');
    expect(changes.map(({ action, at, target }) => [action, at, target])).toEqual([
      ['practice.resumed', '2026-11-20T15:00:02.000Z', practiceId],
      ['practice.suspended', suspendedAt, practiceId],
    ]);
  });

  it('does not get a debit authorized until it is resumed', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const session = await aConnectedSession(practiceId);
    const authorizationId = offeredIn(session, 'en', now)?.id ?? expect.fail('nothing is offered');
    const authorize = async () => {
      const practice = await getExistingPractice(tables.database, practiceId);
      return authorizePayment(tables, { session, practice, authorizationId, source }, now);
    };
    await suspendPractice(tools, { practiceId, author }, now);
    expect(await problemOf(authorize())).toMatchObject({ code: 'practice_suspended' });
    expect(await getExistingSession(tables.database, session.sessionId)).toMatchObject(session);

    await resumePractice(tools, { practiceId, author }, now);
    expect(await authorize()).toMatchObject({ status: 'processing' });
  });

  it('still gets the original response to a request that already created a session', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const body = { invoiceId: 'INV-1043', amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } };
    const create = (idempotencyKey?: string, differences = {}, at = now) =>
      createSession(
        { ...tools, hostedPageUrl: 'https://pay.example' },
        { practiceId, body: { ...body, ...differences }, idempotencyKey },
        at,
      );
    const { response } = await create('created');
    await suspendPractice(tools, { practiceId, author }, now);
    expect(await create('created', {}, now + day - 1)).toEqual({ response, replayed: true });
    expect(await problemOf(create('created', { amountCents: 100 }))).toMatchObject({ code: 'idempotency_key_reused' });
    for (const [key, at] of [
      [undefined, now],
      ['unused', now],
      ['created', now + day],
    ] as const)
      expect(await problemOf(create(key, {}, at))).toMatchObject({ code: 'practice_suspended' });

    await resumePractice(tools, { practiceId, author }, now);
    expect(await create('unused')).toMatchObject({ replayed: false });
  });

  it('must exist', async () => {
    const { tools } = await aPractice(tables);
    const unknown = { practiceId: 'prc_none', author };
    for (const change of [suspendPractice, resumePractice])
      expect(await problemOf(change(tools, unknown, now))).toMatchObject({ code: 'practice_not_found' });
  });
});
