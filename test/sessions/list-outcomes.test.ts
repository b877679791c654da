import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { outcomes, type Outcome } from '../../functions/domain/sessions/outcome.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { toIso } from '../../functions/domain/time.ts';
import { listWithBlocks } from '../../functions/sessions/list.ts';
import { claimInvoice } from '../../functions/store/payments/invoice-claims.ts';
import { insert } from '../../functions/store/rows.ts';
import { transact } from '../../functions/store/transact.ts';
import { storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const at = toIso(now);
const expired = { status: 'cancelled', cancelledAt: at, cancellation: { reason: 'expired' } } as const;
const succeeded = { status: 'succeeded', openedAt: at, settledAt: at } as const;

async function practiceWith(differences: Readonly<Record<string, Partial<Session>>>, invoiceGuard = true) {
  const practiceId = `prc_${randomBytes(8).toString('hex')}`;
  await insert(database, 'practices', aPractice({ practiceId, invoiceGuard }), 'practiceId');
  const names = new Map<string, string>();
  for (const [index, [name, difference]] of Object.entries(differences).entries()) {
    const session = await storeSession(database, { practiceId, invoiceId: `INV-${name}`, ...difference }, now + index);
    names.set(session.sessionId, name);
    if (session.claimsInvoice) await transact(database, { claim: claimInvoice(database, session) });
  }
  return async (outcome: readonly Outcome[], limit = 25) => {
    const { sessions } = await listWithBlocks({ database }, { practiceId, outcome, limit }, now);
    return sessions.map(({ sessionId }) => names.get(sessionId));
  };
}

it('a list by outcome has each session once, returns and refunds apart from what was paid', async () => {
  const list = await practiceWith({
    pending: {},
    processing: { status: 'processing' },
    succeeded,
    failed: { status: 'failed' },
    cancelled: { status: 'cancelled', cancellation: { reason: 'requested_by_practice' } },
    expired,
    returned: { ...succeeded, return: { code: 'insufficient_funds', returnedAt: at } },
    refunded: { ...succeeded, refund: { amountCents: 100, refundedAt: at } },
  });
  const disjoint = outcomes.filter((outcome) => outcome !== 'opened');
  for (const outcome of disjoint) expect(await list([outcome])).toEqual([outcome]);
  expect((await list(disjoint)).sort()).toEqual([...disjoint].sort());
  expect(await list(['returned', 'expired'])).toEqual(['returned', 'expired']);
});

it('a link that was opened is listed as unpaid until another link of its invoice pays', async () => {
  const opened = { openedAt: at };
  const others = {
    open: opened,
    unopened: {},
    late: { ...expired, ...opened },
    paidElsewhere: { ...expired, ...opened, invoiceId: 'INV-twice' },
    paying: { status: 'processing', invoiceId: 'INV-twice', claimsInvoice: true },
  } as const;
  const list = await practiceWith(others);
  expect(await list(['opened'])).toEqual(['late', 'open']);
  expect(await list(['opened', 'expired'])).toEqual(['paidElsewhere', 'late', 'open']);
  const withoutGuard = await practiceWith(others, false);
  expect(await withoutGuard(['opened'])).toEqual(['paidElsewhere', 'late', 'open']);
});
