import { randomBytes } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { offeredIn } from '../../functions/domain/payments/authorization.ts';
import { due } from '../../functions/domain/due.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import { day, minute, toIso } from '../../functions/domain/time.ts';
import type { BankConnector } from '../../functions/processors/processor.ts';
import { sandboxConnector } from '../../functions/processors/sandbox/processor.ts';
import { authorizePayment, namePayer } from '../../functions/sessions/authorize.ts';
import { connectBank } from '../../functions/sessions/connect-bank.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { findByToken, type LinkHolder } from '../../functions/sessions/find.ts';
import { extendSession, openSession } from '../../functions/sessions/open.ts';
import { replaceLink } from '../../functions/sessions/links.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getEvidence } from '../../functions/store/payments/authorizations.ts';
import { countBankConnectionAttempt, recordBankConnection } from '../../functions/store/sessions/patient-writes.ts';
import { aPractice } from '../support/examples.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { before, crashingDatabase } from './crash.ts';
import { startService } from './service.ts';

const tables = await startTestTables();
const { database } = tables;

const now = Date.parse('2026-11-20T10:00:00.000Z');
const later = now + 10 * minute;
const author = {
  kind: 'user',
  userId: 'usr_1',
  email: 'staff@practice.example',
  address: '203.0.113.9',
} as const;
const linkTools = { database, randomBytes, hostedPageUrl: 'https://pay.example.com' };
const notFound = { code: 'link_not_found' };
const signIn = { username: 'user_good', password: aPractice().testBankPassword };

const tokenOf = (hostedUrl: string) => hostedUrl.slice('https://pay.example.com/s/'.length);

async function aLink(createdAt = now, differences: Partial<Practice> = {}) {
  const practice = aPractice({ practiceId: `prc_${randomBytes(8).toString('hex')}`, ...differences });
  await database.documents.send(new PutCommand({ TableName: database.tables.practices, Item: practice }));
  const body = { invoiceId: 'INV-1', amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  const input = { practiceId: practice.practiceId, body, idempotencyKey: 'once' };
  const create = async () => (await createSession({ ...linkTools, mode: 'sandbox' }, input, createdAt)).response;
  const { sessionId, hostedUrl } = await create();
  const token = tokenOf(hostedUrl);
  const hold = async (held = token): Promise<LinkHolder> => ({
    session: await findByToken({ database }, held),
    practice,
  });
  const replace = async (at = later) => {
    const answer = await replaceLink(linkTools, { practiceId: practice.practiceId, sessionId, author }, at);
    return { ...answer, token: tokenOf(answer.hostedUrl) };
  };
  const connect = async (held = token) =>
    connectBank({ database, processor: sandboxConnector }, { ...(await hold(held)), signIn }, now);
  return { practice, sessionId, token, hostedUrl, create, hold, replace, connect };
}

/** The row, with the attributes of the indexes. */
async function rowOf(sessionId: string): Promise<Record<string, unknown>> {
  const { Item } = await database.documents.send(
    new GetCommand({ TableName: database.tables.sessions, Key: { sessionId }, ConsistentRead: true }),
  );
  return Item ?? {};
}

function authorize(holder: LinkHolder, withDatabase = database) {
  const authorizationId = offeredIn(holder.session, 'en', now)?.id ?? 'none';
  const source = { address: '203.0.113.9', userAgent: 'test' };
  return authorizePayment({ database: withDatabase }, { ...holder, authorizationId, source }, now);
}

describe('a new link of a pending session', () => {
  it('starts the session over: the bank, the payer, the attempts and the first open are gone, and the lifetime restarts', async () => {
    const { sessionId, token, hold, replace, connect, practice } = await aLink();
    const untouched = await rowOf(sessionId);
    const { session } = await hold();
    await connect();
    await namePayer({ database }, { ...(await hold()), payerName: 'Grace Okafor' }, now);
    await countBankConnectionAttempt(database, session, now);
    await recordBankConnection(database, session, 'connection_1', now);
    await extendSession({ database }, await hold(), now + 25 * minute);
    const answer = await replace();
    const expiresAt = later + practice.linkLifetimeDays * day;
    expect(answer).toMatchObject({ sessionId, expiresAt: toIso(expiresAt) });
    const row = await rowOf(sessionId);
    expect(row).toEqual({
      ...untouched,
      tokenHash: row['tokenHash'],
      linkReplacedAt: toIso(later),
      expiresAt: toIso(expiresAt),
      ...due('expiry', sessionId, expiresAt),
    });
    expect((await hold(answer.token)).session.sessionId).toBe(sessionId);
    await expect(hold(token)).rejects.toMatchObject(notFound);
  });

  it('expires within 366 days of the creation of the session, however often it is replaced', async () => {
    const { replace } = await aLink(now, { linkLifetimeDays: 365 });
    const replacedAt = now + 300 * day;
    expect(await replace(replacedAt)).toMatchObject({ expiresAt: toIso(now + 366 * day) });
    expect(await replace(now + 365.5 * day)).toMatchObject({ expiresAt: toIso(now + 366 * day) });
  });

  it('works as long as the replaced one would have, if that is longer', async () => {
    const { replace, hold } = await aLink(now, { linkLifetimeDays: 366, sessionLifetimeSeconds: 86_400 });
    await openSession({ database }, await hold(), now + 365.5 * day);
    expect(await replace(now + 366.2 * day)).toMatchObject({ expiresAt: toIso(now + 366.5 * day) });
  });

  it('is in the audit log, without the link', async () => {
    const { sessionId, replace, practice } = await aLink();
    const { token } = await replace();
    const { entries } = await listAuditLog(database, practice.practiceId, { limit: 10 });
    expect(entries).toMatchObject([
      { action: 'session.link_replaced', target: sessionId, author, at: toIso(later), details: { status: 'pending' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  it('can be opened and paid like the first one', async () => {
    const { replace, connect, hold } = await aLink();
    await connect();
    const { token } = await replace(now);
    const opened = await openSession({ database }, await hold(token), now + minute);
    expect(opened.openedAt).toBe(toIso(now + minute));
    await connect(token);
    expect(await authorize(await hold(token))).toMatchObject({ status: 'processing' });
  });

  it('does not change the answer to a repeated create, whose link is dead', async () => {
    const { hostedUrl, create, hold, replace } = await aLink();
    await replace();
    const repeated = await create();
    expect(repeated.hostedUrl).toBe(hostedUrl);
    await expect(hold(tokenOf(repeated.hostedUrl))).rejects.toMatchObject(notFound);
  });

  it('of two requested at once, works for exactly one', async () => {
    const { hold, replace } = await aLink();
    const answers = await Promise.all([replace(), replace()]);
    const found = await Promise.allSettled(answers.map(({ token }) => hold(token)));
    expect(found.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is refused to another practice, which changes nothing', async () => {
    const { sessionId } = await aLink();
    const row = await rowOf(sessionId);
    const other = { practiceId: 'prc_other', sessionId, author };
    await expect(replaceLink(linkTools, other, later)).rejects.toMatchObject({ code: 'session_not_found' });
    expect(await rowOf(sessionId)).toEqual(row);
  });
});

describe('a new link of a session that is no longer pending', () => {
  it.each([
    { status: 'processing', processingAt: toIso(now), ...due('debit', 'ses', now) },
    { status: 'succeeded' },
    { status: 'failed' },
    { status: 'cancelled' },
    { status: 'pending', expiresAt: toIso(later) },
  ] as const)('replaces the token, says when, and changes nothing else: $status', async (state) => {
    const { practice } = await aLink();
    const bankAccount = { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' } as const;
    const { sessionId, expiresAt } = await storeSession(database, {
      practiceId: practice.practiceId,
      openedAt: toIso(now),
      bankAccount,
      processorAccount: 'user_good',
      bankConnectionAttempts: 2,
      ...state,
    });
    const row = await rowOf(sessionId);
    const answer = await replaceLink(linkTools, { practiceId: practice.practiceId, sessionId, author }, later);
    const { tokenHash, ...rest } = await rowOf(sessionId);
    expect({ ...rest, tokenHash: 'hash' }).toEqual({ ...row, linkReplacedAt: toIso(later) });
    expect(tokenHash).not.toBe('hash');
    expect(answer.expiresAt).toBe(expiresAt);
    await findByToken({ database }, tokenOf(answer.hostedUrl));
  });
});

const refusing: BankConnector = { connectBank: async () => ({ result: 'refused' }) };

/** What a patient does, and how many writes that takes. */
const calls = {
  'opens the page': {
    writes: 1,
    act: (holder: LinkHolder, through: typeof database) => openSession({ database: through }, holder, now),
  },
  'asks for more time': {
    writes: 1,
    act: (holder: LinkHolder, through: typeof database) =>
      extendSession({ database: through }, holder, Date.parse(holder.session.expiresAt) - minute),
  },
  'connects a bank': {
    writes: 2,
    act: (holder: LinkHolder, through: typeof database) =>
      connectBank({ database: through, processor: sandboxConnector }, { ...holder, signIn }, now),
  },
  'signs in wrongly': {
    writes: 2,
    act: (holder: LinkHolder, through: typeof database) =>
      connectBank({ database: through, processor: refusing }, { ...holder, signIn }, now),
  },
  'names the payer': {
    writes: 1,
    act: (holder: LinkHolder, through: typeof database) =>
      namePayer({ database: through }, { ...holder, payerName: 'Grace Okafor' }, now),
  },
  authorizes: { writes: 1, act: authorize },
};

describe('a patient with the old link', () => {
  it.each(Object.entries(calls))('who %s gets nothing and changes nothing', async (name, { writes, act }) => {
    for (let write = 1; write <= writes; write += 1) {
      const { sessionId, hold, replace, connect } = await aLink();
      if (['authorizes', 'asks for more time', 'names the payer'].includes(name)) await connect();
      let row = {};
      const tap = before(write, async () => {
        await replace();
        row = await rowOf(sessionId);
      });
      await expect(act(await hold(), crashingDatabase(tables, tap))).rejects.toMatchObject(notFound);
      expect(tap.calls).toBe(write);
      expect(await rowOf(sessionId)).toEqual(row);
    }
  });

  it.each(['refused', 'connected'] as const)(
    'whose bank answers late (%s) does not take the attempt of the patient with the new link',
    async (result) => {
      const { sessionId, hold, replace } = await aLink();
      let row = {};
      const slow: BankConnector = {
        async connectBank(input, at) {
          const { session } = await hold((await replace()).token);
          await countBankConnectionAttempt(database, session, later);
          row = await rowOf(sessionId);
          return result === 'refused' ? { result } : sandboxConnector.connectBank(input, at);
        },
      };
      const holder = await hold();
      await expect(connectBank({ database, processor: slow }, { ...holder, signIn }, now)).rejects.toMatchObject(
        notFound,
      );
      expect(row).toMatchObject({ bankConnectionAttempts: 1 });
      expect(await rowOf(sessionId)).toEqual(row);
    },
  );

  it('cannot authorize the account that was connected again through the new link', async () => {
    const { sessionId, hold, replace, connect } = await aLink();
    await connect();
    const holder = await hold();
    const { token } = await replace(now);
    await connect(token);
    const current = await hold(token);
    expect(offeredIn(current.session, 'en', now)).toEqual(offeredIn(holder.session, 'en', now));
    const row = await rowOf(sessionId);
    await expect(authorize(holder)).rejects.toMatchObject(notFound);
    expect(await rowOf(sessionId)).toEqual(row);
    expect(await getEvidence(database, sessionId)).toBeUndefined();
  });

  it('who authorizes at the same moment either pays or changes nothing', async () => {
    for (const isPaymentFirst of [true, false]) {
      const { sessionId, hold, replace, connect } = await aLink();
      await connect();
      const holder = await hold();
      const pay = () =>
        authorize(holder).then(
          () => true,
          () => false,
        );
      const early = isPaymentFirst ? pay() : undefined;
      const replacement = replace(now);
      const [paid, { token }] = await Promise.all([early ?? pay(), replacement]);
      const { session } = await hold(token);
      const evidence = await getEvidence(database, sessionId);
      expect(evidence !== undefined).toBe(paid);
      expect(session).toMatchObject(
        paid ? { status: 'processing', bankAccount: {}, sequence: 1 } : { status: 'pending', sequence: 0 },
      );
      if (!paid) expect(session).not.toHaveProperty('bankAccount');
    }
  });

  it('who authorizes just before the replacement is written keeps the payment and loses the link', async () => {
    const { sessionId, practice, hold, connect } = await aLink();
    await connect();
    const holder = await hold();
    const tap = before(1, () => authorize(holder));
    const tools = { ...linkTools, database: crashingDatabase(tables, tap) };
    const answer = await replaceLink(tools, { practiceId: practice.practiceId, sessionId, author }, now);
    const { session } = await hold(tokenOf(answer.hostedUrl));
    expect(session).toMatchObject({ status: 'processing', expiresAt: answer.expiresAt, bankAccount: {} });
    await expect(hold()).rejects.toMatchObject(notFound);
    const { entries } = await listAuditLog(database, practice.practiceId, { limit: 10 });
    expect(entries).toMatchObject([{ details: { status: 'processing' } }]);
  });
});

describe('a replacement and the sweep', () => {
  // Earlier than all other sessions in this file, so that the sweep finds no others.
  const createdAt = Date.parse('2001-11-20T10:00:00.000Z');
  const dies = createdAt + 7 * day;

  it.each([1, 2])('before its write %i: the session lives on', async (write) => {
    const { sessionId, practice, hold, replace } = await aLink(createdAt);
    const renewed = { token: '' };
    const tap = before(write, async () => void Object.assign(renewed, await replace(dies - 1)));
    const sweeper = startService({ database: crashingDatabase(tables, tap), practice });
    sweeper.clock.now = dies;
    await sweeper.sweep();
    expect(tap.calls).toBeGreaterThanOrEqual(write);
    expect((await hold(renewed.token)).session).toMatchObject({
      status: 'pending',
      expiresAt: toIso(dies - 1 + 7 * day),
    });
    expect(await rowOf(sessionId)).toMatchObject(due('expiry', sessionId, dies - 1 + 7 * day));
  });

  it('at the instant of expiry, the session ends as expired whoever is first', async () => {
    const { practice, hold, replace } = await aLink(createdAt);
    const { token, expiresAt } = await replace(dies);
    expect(expiresAt).toBe(toIso(dies));
    const sweeper = startService({ database, practice });
    sweeper.clock.now = dies;
    await sweeper.sweep();
    expect((await hold(token)).session).toMatchObject({ status: 'cancelled', cancelledAt: toIso(dies) });
  });
});
