import { describe, expect, it } from 'vitest';
import { sessionView } from '../../../functions/contract/sessions/session-view.ts';
import type { Evidence } from '../../../functions/domain/payments/evidence.ts';
import { locales, type Locale } from '../../../functions/domain/locale.ts';
import { payeeOf, type Practice } from '../../../functions/domain/practices/practice.ts';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { patientView } from '../../../functions/domain/sessions/session-view.ts';
import { aBankAccount, aBankConnection, anOffer, aPractice, aSession } from '../../support/examples.ts';
import { sessionStatusBody } from '../../../functions/contract/sessions/session.ts';
import { hasUsedUpSignIns, sessionStatus } from '../../../functions/domain/sessions/session-status.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const connected = aSession(aBankConnection);
const paying = aSession({
  bankAccount: aBankAccount,
  status: 'processing',
  processingAt: '2026-11-26T04:30:00.000Z',
});
type Accepted = Pick<Evidence, 'text' | 'locale' | 'payee' | 'payerName'>;
const accepted: Accepted = {
  text: 'Autorizo a',
  locale: 'es',
  payee: payeeOf(aPractice()),
  payerName: 'Ada Okafor',
};

function viewOf(session: Session, locale: Locale = 'en', at = now, practice = aPractice(), evidence?: Accepted) {
  const viewing = { mode: 'sandbox', locale, now: at, blockedBy: undefined, evidence } as const;
  return sessionView.parse(patientView(session, practice, viewing));
}

describe('the view of a session', () => {
  it.each([
    ['Okafor', 'O'],
    ['Łukasz', 'Ł'],
    ['E\u0301lan', '\u00c9'],
    ['\u{20BB7}野', '\u{20BB7}'],
  ])('has only the initial of the last name %s before a bank is connected', (lastName, lastNameInitial) => {
    expect(viewOf(aSession({ patient: { firstName: 'Ada', lastName } })).patient).toEqual({
      firstName: 'Ada',
      lastNameInitial,
    });
  });

  it("has what was given back and what is on its way, and nothing of the practice's failed refunds", () => {
    const refundedAt = '2026-11-30T10:00:00.000Z';
    const refund = {
      amountCents: 5_000,
      pendingCents: 2_000,
      failedCents: 1_000,
      status: 'pending',
      refundedAt,
    } as const;
    const settled = aSession({ status: 'succeeded', refund });
    expect(viewOf(settled).refund).toEqual({ amountCents: 5_000, pendingCents: 2_000, refundedAt });
    const failed = { amountCents: 0, failedCents: 5_000, status: 'failed', refundedAt } as const;
    expect(viewOf({ ...settled, refund: failed }).refund).toBeUndefined();
  });

  it('has the whole name once a bank is connected, and on the receipt', () => {
    for (const session of [connected, paying])
      expect(viewOf(session).patient).toEqual({ firstName: 'Ada', lastNameInitial: 'O', lastName: 'Okafor' });
  });

  it.each([
    ['Suharto', '-'],
    ['-', 'Suharto'],
  ])('of %s %s has the one name, without the dash', (firstName, lastName) => {
    const patient = { firstName, lastName };
    expect(viewOf(aSession({ patient })).patient).toEqual({ firstName: 'Suharto', lastNameInitial: '' });
    expect(viewOf(aSession({ ...aBankConnection, patient })).patient).toEqual({
      firstName: 'Suharto',
      lastNameInitial: '',
      lastName: '',
    });
  });

  it('says how many bank sign-ins are left: none after the last attempt or the last start of the picker', () => {
    const left = (used: Partial<Session>) => viewOf(aSession(used)).bankConnectionAttemptsRemaining;
    expect(left({ bankConnectionAttempts: 2, pickerStarts: 19 })).toBe(3);
    expect(left({ bankConnectionAttempts: 5 })).toBe(0);
    expect(left({ bankConnectionAttempts: 2, pickerStarts: 20 })).toBe(0);
  });

  it('has the name of the payer while a connected bank waits for the authorization', () => {
    expect(viewOf(connected).payerName).toBe('Ada Okafor');
    expect(viewOf(aSession()).payerName).toBeUndefined();
    expect(viewOf(paying).payerName).toBeUndefined();
  });

  it('has no link to call a practice without a phone number', () => {
    const { supportPhone: _, ...practice } = aPractice();
    expect(viewOf(aSession(), 'en', now, practice).practice).not.toHaveProperty('supportPhoneUri');
  });

  it('has the authorization in the requested language while the patient may authorize', () => {
    for (const locale of locales) {
      const { templateVersion: _, ...offered } = anOffer(locale);
      expect(viewOf(connected, locale).authorization).toEqual(offered);
    }
    expect(viewOf(paying, 'es').authorization).toBeUndefined();
    expect(viewOf(connected, 'es', Date.parse(connected.expiresAt)).authorization).toBeUndefined();
  });

  it("has the practice's address and its own pages, and nothing else of the practice that patients do not see", () => {
    const own = {
      postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
      privacyUrl: 'https://lakeside.example/privacy',
      termsUrl: 'https://lakeside.example/terms',
    };
    const seen = {
      name: 'Lakeside Family Practice',
      primaryColor: '#1d4ed8',
      supportPhone: '+1 555 010 0100',
      supportPhoneUri: 'tel:+15550100100',
    };
    const viewing = { mode: 'sandbox', locale: 'en', now, blockedBy: undefined, evidence: undefined } as const;
    expect(patientView(aSession(), aPractice(own), viewing).practice).toEqual({ ...seen, ...own });
    expect(Object.keys(patientView(aSession(), aPractice(), viewing).practice)).toEqual(Object.keys(seen));
  });

  it('has a receipt with the accepted text in its language and the statement text', () => {
    expect(viewOf(connected).receipt).toBeUndefined();
    expect(viewOf(paying, 'en', now, aPractice(), accepted).receipt).toEqual({
      receiptNumber: '0000000001',
      authorizedAt: '2026-11-26T04:30:00.000Z',
      authorizationText: 'Autorizo a',
      authorizationLocale: 'es',
      payerName: 'Ada Okafor',
      practice: { name: 'Lakeside Family Practice', supportPhone: '+1 555 010 0100' },
      statementText: 'LAKESIDE FAMILY',
    });
  });

  it('says until when an ended session shows its details: as long as the practice keeps them', () => {
    const paid = { ...paying, status: 'succeeded', settledAt: '2026-11-30T14:00:00.000Z' } as const;
    const shownUntil = (session: Session, retentionMonths: number) =>
      viewOf(session, 'en', now, aPractice({ retentionMonths }), accepted).receipt?.shownUntil;
    expect(shownUntil(paid, 24)).toBe('2028-11-30T14:00:00.000Z');
    expect(shownUntil(paid, 3)).toBe('2027-02-28T14:00:00.000Z');
    expect(shownUntil(paying, 24)).toBeUndefined();
  });

  it('has the debit date of the authorization until the outcome is known', () => {
    // It is still Wednesday in New York; Thursday is Thanksgiving.
    const at = Date.parse('2026-11-26T04:30:00.000Z');
    expect(viewOf(aSession()).expectedDebitDate).toBeUndefined();
    const reading = viewOf(connected, 'en', at);
    expect(reading.expectedDebitDate).toBe('2026-11-27');
    expect(reading.authorization?.text).toContain('on or after November 27, 2026,');
    expect(viewOf(paying, 'en', at + 3 * 86_400_000).expectedDebitDate).toBe('2026-11-27');
    for (const status of ['succeeded', 'failed', 'cancelled'] as const)
      expect(viewOf({ ...paying, status }).expectedDebitDate).toBeUndefined();
  });

  it('has a receipt that names the practice as it was when the patient authorized', () => {
    const payee = { name: 'Lakeside Dental', supportEmail: 'billing@lakeside.example' };
    const view = viewOf(paying, 'en', now, aPractice({ name: 'Hillside Dental' }), { ...accepted, payee });
    expect(view).toMatchObject({
      practice: { name: 'Hillside Dental' },
      receipt: { statementText: 'LAKESIDE DENTAL' },
    });
    expect(view.receipt?.practice).toEqual(payee);
  });

  it('has the session lifetime until the session is opened', () => {
    expect(viewOf(aSession()).sessionLifetimeSeconds).toBe(1800);
    expect(viewOf(aSession({ openedAt: '2026-11-20T09:30:00.000Z' })).sessionLifetimeSeconds).toBeUndefined();
    expect(viewOf(aSession(), 'en', Date.parse(aSession().expiresAt)).sessionLifetimeSeconds).toBeUndefined();
  });

  it('says how often the patient can ask for more time, once an open session was opened and if the practice allows it', () => {
    const opened = aSession({ openedAt: '2026-11-20T09:30:00.000Z', extensionLimit: 3, extensions: 1 });
    expect(viewOf(opened).extensionsLeft).toBe(2);
    expect(viewOf(opened, 'en', now, aPractice({ extensions: false })).extensionsLeft).toBeUndefined();
    expect(viewOf(opened, 'en', Date.parse(opened.expiresAt)).extensionsLeft).toBeUndefined();
    expect(viewOf(aSession()).extensionsLeft).toBeUndefined();
  });

  it('says why the patient cannot pay: the invoice first, then a practice that is suspended or closed', () => {
    const blockOf = (practice: Practice, blockedBy?: 'payment_in_progress', session = aSession()) =>
      patientView(session, practice, { mode: 'sandbox', locale: 'en', now, blockedBy, evidence: undefined }).blockedBy;
    const suspended = aPractice({ suspendedAt: '2026-11-19T10:00:00.000Z' });
    expect(blockOf(aPractice())).toBeUndefined();
    expect(blockOf(suspended)).toBe('practice_suspended');
    expect(blockOf(aPractice({ closedAt: '2026-11-19T10:00:00.000Z' }))).toBe('practice_suspended');
    expect(blockOf(suspended, 'payment_in_progress')).toBe('payment_in_progress');
    expect(blockOf(suspended, 'payment_in_progress', paying)).toBeUndefined();
  });

  it('says whether it is from the sandbox', () => {
    for (const mode of ['sandbox', 'live'] as const) {
      const viewing = { mode, locale: 'en', now, blockedBy: undefined, evidence: undefined } as const;
      expect(patientView(aSession(), aPractice(), viewing).sandbox).toBe(mode === 'sandbox');
    }
  });

  it('has no patient once the session is scrubbed, and no receipt before it was authorized', () => {
    const { patient: _, ...scrubbed } = paying;
    expect(viewOf(scrubbed).patient).toBeUndefined();
    expect(viewOf(connected, 'en', now, aPractice(), accepted).receipt).toBeUndefined();
  });
});

describe('session status', () => {
  const now = Date.parse('2026-11-20T10:00:00.000Z');

  describe('the block of a session', () => {
    it('is reported only while the session is open', () => {
      const block = 'invoice_already_paid';
      expect(sessionStatus(aSession(), block, now).blockedBy).toBe(block);
      expect(sessionStatus(aSession({ status: 'processing' }), block, now).blockedBy).toBeUndefined();
    });
  });

  describe('what leaves the service', () => {
    it('is exactly the fields of the status body, without help from its schema', () => {
      expect(Object.keys(sessionStatus(aSession(), undefined, now)).sort()).toEqual(
        Object.keys(sessionStatusBody.shape).sort(),
      );
    });

    it('is exactly the fields of the patient view, without help from its schema', () => {
      const viewing = { mode: 'sandbox', locale: 'en', now, blockedBy: undefined, evidence: undefined } as const;
      const practice = aPractice({
        logoUrl: 'https://pay.example.com/logos/1.png',
        supportEmail: 'billing@lakeside.example',
        postalAddress: '12 Shore Road',
        privacyUrl: 'https://lakeside.example/privacy',
        termsUrl: 'https://lakeside.example/terms',
      });
      const view = patientView(aSession(), practice, viewing);
      expect(Object.keys(view).sort()).toEqual(Object.keys(sessionView.shape).sort());
      expect(Object.keys(view.practice).sort()).toEqual(Object.keys(sessionView.shape.practice.shape).sort());
    });
  });
});

it('bank sign-ins are used up by the last attempt, unless a bank is connected', () => {
  expect(hasUsedUpSignIns(aSession({ bankConnectionAttempts: 4 }))).toBe(false);
  expect(hasUsedUpSignIns(aSession({ bankConnectionAttempts: 5 }))).toBe(true);
  expect(hasUsedUpSignIns(aSession({ bankConnectionAttempts: 5, bankAccount: aBankAccount }))).toBe(false);
});
