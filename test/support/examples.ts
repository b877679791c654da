import {
  offeredIn,
  type Authorization,
  currentAuthorizationTemplate,
} from '../../functions/domain/payments/authorization.ts';
import type { BankAccount } from '../../functions/domain/payments/debit.ts';
import type { Locale } from '../../functions/domain/locale.ts';
import type { Evidence } from '../../functions/domain/payments/evidence.ts';
import { payeeOf, type Practice } from '../../functions/domain/practices/practice.ts';
import { fullName, type Patient, type Session } from '../../functions/domain/sessions/session.ts';

export function aSession(differences: Partial<Session> = {}): Session & { readonly patient: Patient } {
  return {
    sessionId: 'ses_01KAG3ZQ8M0000000000000001',
    practiceId: 'prc_0123456789abcdefghij',
    tokenHash: 'hash',
    invoiceId: 'INV-1043',
    amountCents: 18_250,
    metadata: { location: 'north' },
    livemode: false,
    status: 'pending',
    sequence: 0,
    createdAt: '2026-11-20T09:00:00.000Z',
    expiresAt: '2026-11-27T09:00:00.000Z',
    bankConnectionAttempts: 0,
    ...differences,
    patient: differences.patient ?? { firstName: 'Ada', lastName: 'Okafor' },
  };
}

export function aPractice(differences: Partial<Practice> = {}): Practice {
  return {
    practiceId: 'prc_0123456789abcdefghij',
    name: 'Lakeside Family Practice',
    createdAt: '2026-01-01T00:00:00.000Z',
    supportPhone: '+1 555 010 0100',
    primaryColor: '#1d4ed8',
    linkLifetimeDays: 7,
    sessionLifetimeSeconds: 1800,
    extensions: true,
    invoiceGuard: true,
    retentionMonths: 24,
    timeZone: 'America/New_York',
    testBankPassword: 'test-password',
    ...differences,
  };
}

export const aBankAccount: BankAccount = { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' };

/** What a session has once its bank is connected. */
export const aBankConnection = {
  bankAccount: aBankAccount,
  processorAccount: 'user_good',
  payee: payeeOf(aPractice()),
  authorizationTemplate: currentAuthorizationTemplate,
  bankConnectedAt: '2026-11-20T10:00:00.000Z',
} as const satisfies Partial<Session>;

/** What a patient whose bank is connected may accept. */
export function anOffer(
  locale: Locale,
  differences: Partial<Session> = {},
  at: string = aBankConnection.bankConnectedAt,
): Authorization {
  const offered = offeredIn(aSession({ ...aBankConnection, ...differences }), locale, Date.parse(at));
  if (!offered) throw new Error('nothing is offered');
  return offered;
}

/** The evidence of an authorized session. */
export function anEvidence(
  session: Session & { readonly patient: Patient } = aSession(),
  at = '2026-11-20T10:05:00.000Z',
): Evidence {
  const { sessionId, practiceId, patient, amountCents, invoiceId } = session;
  const { id: authorizationId, text, templateVersion, locale } = anOffer('en', session);
  return {
    sessionId,
    practiceId,
    patient,
    payerName: fullName(patient),
    amountCents,
    invoiceId,
    authorizationId,
    text,
    templateVersion,
    locale,
    payee: aBankConnection.payee,
    bankAccount: aBankAccount,
    processorAccount: aBankConnection.processorAccount,
    sourceAddress: '203.0.113.9',
    userAgent: 'test',
    authorizedAt: at,
  };
}
