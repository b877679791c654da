import { expect } from 'vitest';
import { due, type DutyName } from '../../functions/domain/due.ts';
import { givenBack } from '../../functions/domain/payments/refund.ts';
import { extensionsLeft } from '../../functions/domain/sessions/links.ts';
import { withExpiry, type Session } from '../../functions/domain/sessions/session.ts';
import { toIso } from '../../functions/domain/time.ts';
import { isTerminal } from '../support/is-terminal.ts';
import { getEvidence } from '../../functions/store/payments/authorizations.ts';
import { getClaimingSessionId } from '../../functions/store/payments/invoice-claims.ts';
import type { Model, RefundedCents } from './model.ts';
import type { Service } from './service.ts';

export interface Real {
  readonly service: Service;
  readonly ids: string[];
  readonly ended: Map<string, object>;
}

export const statusesSeen = new Set<string>();

export async function verify(model: Model, { service, ids, ended }: Real): Promise<void> {
  const { database } = service;
  const sessions = await Promise.all(
    ids.map(async (sessionId, index) => {
      const expected = model.sessions[index];
      if (!expected) throw new Error('unknown to the model');
      const [session, events, evidence, debit, pendingDebit] = await Promise.all([
        service.session(sessionId),
        service.events(sessionId),
        getEvidence(database, sessionId),
        service.bank.debitOf(database, sessionId),
        service.bank.pendingDebit(database, sessionId),
      ]);
      const {
        status,
        sequence,
        cancelledAt,
        cancellation,
        settledAt,
        failedAt,
        failure,
        processingAt,
        dueShard,
        dueAt,
      } = session;
      const recorded = refundedOf(session);
      statusesSeen.add(`${status}${afterwards(session, recorded)}${cancellation ? ` ${cancellation.reason}` : ''}`);
      expect(recorded).toEqual(expected.refunded);

      expect(status).toBe(expected.status);
      expect(withExpiry(session, model.now).status).toBe(
        status === 'pending' && model.now >= expected.expiresAt ? 'cancelled' : status,
      );
      expect(session.expiresAt).toBe(toIso(expected.expiresAt));
      expect(session.bankConnectionAttempts).toBe(expected.attempts);
      expect(session.openedAt !== undefined).toBe(expected.opened);
      expect(session.openedAt === undefined ? 0 : extensionsLeft(session)).toBe(expected.extensions);
      expect(session.extendedAt !== undefined).toBe(session.extensions !== undefined);
      expect(session.bankAccount !== undefined).toBe(expected.user !== undefined);
      expect(session.bankConnectedAt !== undefined).toBe(expected.user !== undefined);
      if (isTerminal(status)) {
        const facts = { status, cancelledAt, cancellation, settledAt, failedAt, failure, processingAt };
        expect(facts).toEqual(ended.get(sessionId) ?? facts);
        ended.set(sessionId, facts);
      }
      if (cancellation?.reason === 'expired') expect(cancelledAt).toBe(session.expiresAt);

      expect(events.map(({ type, createdAt }) => [type, createdAt])).toEqual(
        expected.events.map(([type, at]) => [type, toIso(at)]),
      );
      expect(events.map(({ body }) => JSON.parse(body))).toMatchObject(
        events.map(({ type, createdAt }, at) => ({
          type,
          created_at: createdAt,
          data: { sessionId, sequence: at + 1 },
        })),
      );
      expect(sequence).toBe(events.length);
      expect(
        events.filter((event) => event.dueAt !== undefined || event.dueShard !== undefined),
        'dispatched events are not due',
      ).toEqual([]);

      expect(evidence?.authorizedAt).toBe(events.find(({ type }) => type === 'session.payment.processing')?.createdAt);
      if (evidence) expect(evidence.text, 'the text names the payer').toContain(`I, ${evidence.payerName},`);
      if (evidence) expect(session.payerName, 'only the evidence has the name').toBeUndefined();
      expect(session.cancelRequestedAt !== undefined).toBe(expected.cancelRequested);
      const work: DutyName | undefined =
        status === 'pending' ? 'expiry' : expected.cancelRequested ? 'cancellation' : 'debit';
      expect({ dueShard, dueAt }).toEqual(expected.dueAt === undefined ? {} : due(work, sessionId, expected.dueAt));
      expect(session.debit?.submittedAt).toBe(
        expected.submittedAt === undefined ? undefined : toIso(expected.submittedAt),
      );
      expect(debit?.submittedAt, 'the bank has the same debit').toBe(session.debit?.submittedAt);
      expect(pendingDebit, 'nothing is left that could still be debited').toBeUndefined();
      expect(debit?.dueAt).toBe(expected.outcomeAt === undefined ? undefined : toIso(expected.outcomeAt));
      return session;
    }),
  );
  const paying = sessions.filter(
    (session) =>
      session.status === 'processing' ||
      (session.status === 'succeeded' && !session.return && givenBack(session.refund) < session.amountCents),
  );
  const [first] = sessions;
  const claimant = first && (await getClaimingSessionId(database, first));
  if (model.guard) {
    expect(claimant).toBe(ids[model.sessions.findIndex((expected) => expected === model.claim)]);
    // A refund that fails after another session has claimed the invoice raises an alarm.
    if (paying.every((session) => refundedOf(session).failed === 0)) {
      expect(paying.length).toBeLessThanOrEqual(1);
      expect(claimant).toBe(paying[0]?.sessionId);
    }
  } else expect(claimant).toBeUndefined();
}

function refundedOf({ refund }: Session): RefundedCents {
  return { given: givenBack(refund), pending: refund?.pendingCents ?? 0, failed: refund?.failedCents ?? 0 };
}

function afterwards(session: Session, { given, failed }: RefundedCents): string {
  if (session.return) return given > 0 ? ' returned, refunded' : ' returned';
  if (failed > 0) return ' refund failed';
  return given > 0 ? ' refunded' : '';
}
