import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { auditedBy, findCreator } from '../../functions/sessions/audit.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { listApiKeys } from '../../functions/store/practices/api-keys.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { now } from '../payments/a-payment.ts';
import { aPractice } from '../practices/a-practice.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;
const tools = { database, randomBytes, mode: 'sandbox', hostedPageUrl: 'https://pay.example.com' } as const;
const body = { invoiceId: 'INV-1', amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } };

const creatorOf = async (sessionId: string) => findCreator({ database }, await getExistingSession(database, sessionId));

it('a session was created by an API key, a member, or an earlier version that did not say', async () => {
  const { practiceId } = await aPractice(tables);
  const [key] = await listApiKeys(database, practiceId);
  const byKey = await createSession(tools, { practiceId, body, apiKeyId: key?.keyId }, now);
  expect(await creatorOf(byKey.response.sessionId)).toEqual({ kind: 'api_key', keyId: key?.keyId, name: key?.name });

  const unknown = await createSession(tools, { practiceId, body }, now);
  expect(await creatorOf(unknown.response.sessionId)).toBeUndefined();

  const emails = ['ada@lakeside.example', 'grace@lakeside.example'];
  // In one millisecond.
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
