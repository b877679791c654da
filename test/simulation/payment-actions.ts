import { offeredIn } from '../../functions/domain/payments/authorization.ts';
import { isSandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { authorizePayment } from '../../functions/sessions/authorize.ts';
import { cancelSessionOnce } from '../../functions/sessions/cancel.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { erasePatient } from '../../functions/sessions/erase-patient.ts';
import { findByToken, type LinkHolder } from '../../functions/sessions/find.ts';
import { extendSession, openSession } from '../../functions/sessions/open.ts';
import { refundSession } from '../../functions/sessions/refund.ts';
import { replaceLink, requestLink } from '../../functions/sessions/links.ts';
import { advanceSession, simulateSession } from '../../functions/sessions/simulate.ts';
import { getExistingPractice } from '../../functions/store/practices/practices.ts';
import { author, type Actions, type Callers, type KnownSession } from './cast.ts';

const amountCents = 18_250;
const invoices = ['INV-1', ' INV-1 ', 'INV-2'];

/** What patients, and the practice's software and staff, do about a payment. */
export function paymentActions(callers: Callers): Actions {
  const { world, database, service, sessions, refunds, tools, payments, request, aSession, own, practice } = callers;
  const { clock, random, chance, pick } = world;
  const { bank } = service;

  /** A patient follows a link, usually the newest. */
  function patient(name: string, known: KnownSession | undefined, act: (holder: LinkHolder) => Promise<unknown>): void {
    if (!known) return;
    const token = chance(0.85) ? known.tokens.at(-1) : pick(known.tokens);
    request(
      name,
      async () => {
        const wasReplaced = token !== known.tokens.at(-1);
        const { erased } = known;
        const session = await findByToken({ database }, token);
        await act({ session, practice: await getExistingPractice(database, known.practiceId) });
        // Opening an ended session only shows it.
        return wasReplaced || (erased && name !== 'open');
      },
      (isDead) => {
        if (isDead)
          world.violations.add(`${name} of ${known.sessionId} succeeded by a link that was replaced or erased before`);
      },
    );
  }

  async function accept({ session, practice }: LinkHolder): Promise<void> {
    const authorizationId = offeredIn(session, 'en', clock())?.id ?? 'none';
    const source = { address: '203.0.113.9', userAgent: 'simulation' };
    await authorizePayment({ database }, { session, practice, authorizationId, source }, clock());
  }

  function cancel(known: KnownSession | undefined): void {
    const idempotencyKey = chance(0.5) ? `cancel-${Math.floor(random() * 1e9)}` : undefined;
    if (known)
      request('cancel', async () =>
        cancelSessionOnce(payments, { session: await own(known), idempotencyKey }, clock()),
      );
  }

  return {
    create() {
      const practiceId = practice();
      const order = chance(0.5) ? `order-${Math.floor(random() * 1e9)}` : undefined;
      const body = {
        invoiceId: pick(invoices) ?? '',
        amountCents,
        patient: { firstName: 'Ada', lastName: 'Okafor' },
        metadata: { location: 'north', ...(order !== undefined && { order }) },
      };
      request(
        'create',
        () => createSession(tools, { practiceId, body, idempotencyKey: order }, clock()),
        ({ response: { sessionId, hostedUrl } }) => {
          const known = { practiceId, sessionId, tokens: [hostedUrl.split('/s/')[1] ?? ''], erased: false };
          if (!sessions.some((each) => each.sessionId === sessionId)) sessions.push(known);
        },
      );
    },
    connect: () => patient('connect', aSession(), (holder) => bank.connect(holder, pick(bank.users) ?? '')),
    authorize: () => patient('authorize', aSession(), accept),
    pay() {
      const known = aSession();
      patient('pay', known, async (holder) => {
        await accept({ ...holder, session: await bank.connect(holder, pick(bank.users) ?? '') });
        // The link was wrong: the practice cancels before the debit is submitted.
        if (chance(0.15)) cancel(known);
      });
    },
    open: () => patient('open', aSession(), (holder) => openSession({ database }, holder, clock())),
    extend: () => patient('extend', aSession(), (holder) => extendSession({ database }, holder, clock())),
    requestLink: () => patient('request a link', aSession(), (holder) => requestLink({ database }, holder, clock())),
    cancel: () => cancel(aSession()),
    replaceLink() {
      const known = aSession();
      if (!known) return;
      request(
        'replace the link',
        () => replaceLink(tools, { practiceId: known.practiceId, sessionId: known.sessionId, author }, clock()),
        ({ hostedUrl }) => void known.tokens.push(hostedUrl.split('/s/')[1] ?? ''),
      );
    },
    refund() {
      const known = aSession();
      const cents = chance(0.5) ? amountCents : 5000;
      const refundId = `refund-${Math.floor(random() * 1e9)}`;
      if (!known) return;
      refunds.push({ sessionId: known.sessionId, refundId, cents });
      const body = { refundId, amountCents: cents, reason: 'Paid twice' };
      request('refund', async () => refundSession(payments, await own(known), body, clock()));
    },
    erase() {
      const known = aSession();
      if (!known) return;
      const input = { practiceId: known.practiceId, sessionId: known.sessionId, author };
      request(
        'erase',
        () => erasePatient(tools, input, clock()),
        () => void (known.erased = true),
      );
    },
    simulate() {
      const known = aSession();
      const user = pick(bank.users) ?? '';
      const as = chance(0.2) ? 'expire' : user;
      if (!known || !bank.sandbox || !(as === 'expire' || isSandboxUser(as))) return;
      const source = { address: '203.0.113.9', userAgent: 'simulation', simulated: true } as const;
      const input = { practiceId: known.practiceId, sessionId: known.sessionId, as, source } as const;
      const sandbox = { ...payments, ...bank.sandbox };
      request('simulate', () => simulateSession(sandbox, input, clock()));
    },
    advance() {
      const known = aSession();
      if (!known || !bank.sandbox) return;
      const sandbox = { ...payments, ...bank.sandbox };
      request('advance', async () => advanceSession(sandbox, await own(known), clock()));
    },
  };
}
