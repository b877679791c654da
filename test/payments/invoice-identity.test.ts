import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { withExpiry } from '../../functions/domain/sessions/session.ts';
import { listSessions } from '../../functions/sessions/list.ts';
import { findBlocks, findInvoiceBlocker } from '../../functions/sessions/blocks.ts';
import { getClaimingSessionId } from '../../functions/store/payments/invoice-claims.ts';
import { startTestTables } from '../support/tables.ts';
import { carry, startService } from './service.ts';

const { database } = await startTestTables();
const start = Date.parse('2026-11-20T10:00:00.000Z');
const guarded = { invoiceGuard: true };

function aService() {
  const service = startService({ database });
  service.clock.now = start;
  return service;
}
const service = aService();

async function connected(invoiceId: string, user: 'user_good' | 'user_insufficient_funds' = 'user_good') {
  const sessionId = await service.create(invoiceId);
  await service.connectBank(sessionId, user);
  return sessionId;
}

const spellings = (name: string) => [
  ` ${name}`,
  `${name} `,
  `${name}\u00a0`,
  name.replace(' ', '\u00a0'),
  name.replace(' ', '  '),
];

it.each(spellings('INV 7'))('an invoice is not paid again as %j', async (spelling) => {
  const name = `INV ${randomUUID()}`;
  const paid = await connected(name);
  expect(await service.authorize(paid)).toBe(true);
  const again = await connected(spelling.replace(/7/, name.slice(4)));
  const session = await service.session(again);
  expect(await findInvoiceBlocker({ database }, session, guarded)).toMatchObject({ sessionId: paid });
  expect([...(await findBlocks({ database }, [session], guarded)).keys()]).toEqual([again]);
  expect(await service.authorize(again)).toBe(false);
});

it('an invoice is not paid again in decomposed letters, in either order', async () => {
  const composed = `Caf\u00e9-${randomUUID()}`;
  const decomposed = composed.normalize('NFD');
  for (const [first, second] of [
    [`1${composed}`, `1${decomposed}`],
    [`2${decomposed}`, `2${composed}`],
  ] as const) {
    expect(await service.authorize(await connected(first))).toBe(true);
    expect(await service.authorize(await connected(second))).toBe(false);
  }
});

it('two spellings of one invoice are never authorized at the same time', async () => {
  const name = `INV ${randomUUID()}`;
  const sessionIds = await Promise.all([name, ...spellings(name)].map((spelling) => connected(spelling)));
  const authorized = await Promise.all(sessionIds.map((sessionId) => service.authorize(sessionId)));
  expect(authorized.filter(Boolean)).toHaveLength(1);
});

it('a session keeps its invoice ID as it was sent, and is found by every spelling', async () => {
  const name = `INV ${randomUUID()}`;
  const sessionId = await service.create(`${name} `);
  expect((await service.session(sessionId)).invoiceId).toBe(`${name} `);
  const { practiceId } = service.practice;
  for (const invoiceId of [name, `${name} `, ...spellings(name)]) {
    const { sessions } = await listSessions({ database }, { practiceId, invoiceId, limit: 10 }, start);
    expect(
      sessions.map((session) => session.sessionId),
      JSON.stringify(invoiceId),
    ).toEqual([sessionId]);
  }
});

it('a failed payment frees the invoice for every spelling', async () => {
  const name = `INV ${randomUUID()}`;
  const failed = await connected(`${name} `, 'user_insufficient_funds');
  expect(await service.authorize(failed)).toBe(true);
  for (let turn = 0; turn < 4; turn += 1) {
    await service.publish(await service.events(failed));
    await carry(service);
    service.clock.now += 3000;
  }
  expect(withExpiry(await service.session(failed), service.clock.now).status).toBe('failed');
  service.clock.now = start;
  expect(await getClaimingSessionId(database, await service.session(failed))).toBeUndefined();
  expect(await service.authorize(await connected(name))).toBe(true);
});
