import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { auditedBy, findCreator } from '../../functions/sessions/audit.ts';
import { cancelSession } from '../../functions/sessions/cancel.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { listApiKeys } from '../../functions/store/practices/api-keys.ts';
import { aPayment, now } from '../payments/a-payment.ts';
import { aPractice } from '../practices/a-practice.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;

const body = { invoiceId: 'INV-1', amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } };

async function entriesOf(practiceId: string) {
  const { entries } = await listAuditLog(database, practiceId, { limit: 10 });
  return entries.filter(({ action }) => action.startsWith('session.'));
}

async function aCreator() {
  const { practiceId } = await aPractice(tables);
  const tools = { database, randomBytes, mode: 'sandbox', hostedPageUrl: 'https://pay.example.com' } as const;
  const audited = { ...tools, ...auditedBy(tools, { practiceId, author }, now) };
  return { practiceId, tools, audited };
}

it('a session created by a person has an entry without the patient; one created by the practice API has none', async () => {
  const { practiceId, tools, audited } = await aCreator();
  await createSession(tools, { practiceId, body }, now);
  expect(await entriesOf(practiceId)).toEqual([]);
  const { response } = await createSession(audited, { practiceId, body }, now);
  const entries = await entriesOf(practiceId);
  expect(entries).toMatchObject([{ author, action: 'session.created', target: response.sessionId }]);
  expect(JSON.stringify(entries)).not.toContain('Okafor');
});

it('a replayed create adds no second entry', async () => {
  const { practiceId, audited } = await aCreator();
  for (const replayed of [false, true])
    expect(await createSession(audited, { practiceId, body, idempotencyKey: 'once' }, now)).toMatchObject({ replayed });
  expect(await entriesOf(practiceId)).toHaveLength(1);
});

it('a pending session that a person cancels has an entry, and a second cancellation has none', async () => {
  const { practiceId, audited } = await aCreator();
  const { sessionId } = (await createSession(audited, { practiceId, body }, now)).response;
  const { tools } = await aPayment(database, 'user_good');
  const later = now + 1000;
  const cancelling = { ...tools, ...auditedBy(audited, { practiceId, author }, later) };
  const cancel = async () => cancelSession(cancelling, await getExistingSession(database, sessionId), later);
  expect(await cancel()).toMatchObject({ status: 'cancelled' });
  expect(await problemOf(cancel())).toMatchObject({ code: 'session_not_cancellable' });
  expect(await entriesOf(practiceId)).toMatchObject([
    { author, action: 'session.cancelled', target: sessionId },
    { action: 'session.created' },
  ]);
});

it('cancelling a processing session writes an entry, even if the bank then refuses', async () => {
  const { sessionId, current, answering } = await aPayment(database, 'user_good');
  const { practiceId } = await current();
  const tools = answering({ voidDebit: async () => ({ result: 'too_late' }) });
  const audited = { ...tools, ...auditedBy({ database, randomBytes }, { practiceId, author }, now) };
  expect(await problemOf(cancelSession(audited, await current(), now))).toMatchObject({ code: 'payment_not_voidable' });
  expect((await entriesOf(practiceId)).filter(({ target }) => target === sessionId)).toMatchObject([
    { author, action: 'session.cancellation_requested', target: sessionId },
  ]);
});

const tools = { database, randomBytes, mode: 'sandbox', hostedPageUrl: 'https://pay.example.com' } as const;

const creatorOf = async (sessionId: string) => findCreator({ database }, await getExistingSession(database, sessionId));

it('a session was created by an API key, a member, or neither', async () => {
  const { practiceId } = await aPractice(tables);
  const [key] = await listApiKeys(database, practiceId);
  const byKey = await createSession(tools, { practiceId, body, apiKeyId: key?.keyId }, now);
  expect(await creatorOf(byKey.response.sessionId)).toEqual({ kind: 'api_key', keyId: key?.keyId, name: key?.name });

  const unknown = await createSession(tools, { practiceId, body }, now);
  expect(await creatorOf(unknown.response.sessionId)).toBeUndefined();

  const emails = ['ada@lakeside.example', 'grace@lakeside.example'];
  // Both in the same millisecond.
  const byMembers = await Promise.all(
    emails.map(async (email) => {
      const audited = {
        ...tools,
        ...auditedBy(
          tools,
          { practiceId, author: { kind: 'user', userId: 'usr_ada', email, address: '192.0.2.1' } },
          now,
        ),
      };
      return createSession(audited, { practiceId, body }, now);
    }),
  );
  expect(await Promise.all(byMembers.map(async ({ response }) => creatorOf(response.sessionId)))).toEqual(
    emails.map((email) => ({ kind: 'user', email })),
  );
});
