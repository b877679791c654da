import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import type { KeySummary } from '../../../functions/contract/practices/dashboard-keys.ts';
import type { DeliveryDetail } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import type { Alerts, Home } from '../../../functions/contract/team/dashboard-home.ts';
import type { CheckedEvidence, SessionDetail } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import type { Deposit } from '../../../functions/contract/practices/dashboard-going-live.ts';
import type {
  LinkStep,
  PracticeSettings,
  settingsRoutes,
  TestBank,
  PracticeOfPlatform,
} from '../../../functions/contract/practices/dashboard-settings.ts';
import type { Team } from '../../../functions/contract/team/dashboard-team.ts';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import {
  auditActions,
  type AuditAction,
  type AuditEntry,
  type Author,
} from '../../../functions/domain/team/audit-entry.ts';
import { day, hour, minute, second } from '../../../functions/domain/time.ts';
import { deliveries } from './delivery-data.ts';
import { sessions } from './payment-data.ts';
import { before, home, now, withoutPayments } from './time-data.ts';

const ana: Author = {
  kind: 'user',
  userId: 'usr_you',
  email: 'ana.ruiz@lakeside.example',
  address: '198.51.100.24',
  sourceAddress: '192.0.2.80',
};
const operator: Author = { kind: 'operator' };
const authors = [ana, ana, operator];

const targets: Partial<Record<AuditAction, Pick<AuditEntry, 'target' | 'details'>>> = {
  'api_key.created': { target: 'kNew000000003', details: { name: 'Front desk tablet' } },
  'webhook_endpoint.moved': {
    target: 'whe_billing',
    details: { url: 'https://billing.lakeside.example/webhooks/payments' },
  },
  'member.role_changed': { target: 'usr_sam', details: { email: 'sam.lee@lakeside.example', role: 'staff' } },
  'session.link_replaced': {
    target: 'ses_01KAGPAID00000000000000000',
    details: { invoiceId: 'INV-1043', status: 'succeeded' },
  },
  'session.patient_erased': { target: 'ses_01KAGPAID00000000000000000' },
  'member.alerts_changed': { target: 'usr_sam', details: { mails: 'payment_failed daily_summary' } },
};

/** Every kind of entry twice, newest first. */
function auditLog(): AuditEntry[] {
  return [...auditActions, ...auditActions].map((action, index) => ({
    practiceId: 'prc_lakeside',
    entryId: `aud_01KAG${String(99 - index).padStart(21, '0')}`,
    at: before((index + 1) * 7 * hour),
    author: authors[index % 3] ?? ana,
    action,
    ...targets[action],
  }));
}

export interface PracticeData {
  home: Home;
  sessions: SessionDetail[];
  evidence: CheckedEvidence | undefined;
  keys: KeySummary[];
  endpoints: EndpointSummary[];
  deliveries: DeliveryDetail[];
  settings: PracticeSettings & Pick<z.infer<typeof settingsRoutes.getSettings.response>, 'platformName' | 'appliedFee'>;
  /** None are missing if absent. */
  missingForLinks?: LinkStep[];
  /** Shown in production. */
  deposit: Deposit;
  testBank: TestBank;
  team: Team;
  auditLog: AuditEntry[];
  /** Set for a platform. */
  practices?: PracticeOfPlatform[];
}

const you: Team['members'][number] = {
  userId: 'usr_you',
  email: 'ana.ruiz@lakeside.example',
  role: 'admin',
  createdAt: before(200 * day),
  isYou: true,
};

const testBank: TestBank = {
  password: 'pine-otter-4821',
  users: [
    { scenario: 'success', username: 'user_good' },
    { scenario: 'wrong password', username: 'user_bad' },
    { scenario: 'bank unavailable', username: 'user_bank_down' },
    { scenario: 'insufficient funds', username: 'user_insufficient_funds' },
    { scenario: 'account closed', username: 'user_account_closed' },
    { scenario: 'bank declined', username: 'user_declined' },
    { scenario: 'processor error', username: 'user_processor_error' },
    { scenario: 'stuck in processing', username: 'user_stuck' },
    { scenario: 'already sent', username: 'user_sent' },
    { scenario: 'late return', username: 'user_late_return' },
  ],
};

export const lakeside = 'prc_lakeside';
export const maple = 'prc_maple';
export const harbor = 'plt_harbor';
export const harborName = 'Harbor Practice Software';

function settings(): PracticeSettings {
  return {
    practiceId: lakeside,
    name: 'Lakeside Family Dental',
    createdAt: before(300 * day),
    primaryColor: '#0f766e',
    supportPhone: '(555) 010-0142',
    supportEmail: 'billing@lakeside.example',
    postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
    privacyUrl: 'https://lakeside.example/privacy',
    termsUrl: 'https://lakeside.example/terms',
    linkLifetimeDays: 7,
    sessionLifetimeSeconds: 1800,
    extensions: true,
    invoiceGuard: true,
    retentionMonths: 24,
    timeZone: 'America/New_York',
  };
}

export function oldPractice(): PracticeData {
  return {
    home,
    sessions: sessions(),
    evidence: evidence(),
    keys: [
      key('kLive00000001', 'Billing system', { createdAt: before(120 * day), lastUsedOn: '2026-11-20' }),
      key('kRead00000002', 'Reporting', {
        scopes: ['sessions:read'],
        createdAt: before(80 * day),
        lastUsedOn: '2026-11-12',
        expiresAt: before(-12 * hour),
      }),
      key('kNew000000003', 'Front desk tablet', { createdAt: before(2 * day), expiresAt: before(-88 * day) }),
      key('kOld000000004', 'Billing system', {
        createdAt: before(300 * day),
        lastUsedOn: '2026-07-22',
        expiresAt: before(119 * day),
      }),
      key('kGone00000005', 'Laptop of a former colleague', {
        createdAt: before(250 * day),
        revokedAt: before(30 * day),
        lastUsedOn: '2026-10-20',
      }),
    ],
    endpoints: [
      {
        endpointId: 'whe_billing',
        url: 'https://billing.lakeside.example/webhooks/payments',
        status: 'enabled',
        createdAt: before(120 * day),
      },
      {
        endpointId: 'whe_reporting',
        url: 'https://reports.lakeside.example/incoming',
        status: 'enabled',
        eventTypes: ['session.payment.succeeded', 'session.payment.returned'],
        retryPolicy: 'all',
        createdAt: before(60 * day),
        failingSince: before(5 * hour),
        failedAttempts: 14,
        lastFailure: { error: 'timeout' },
        circuitOpenUntil: before(-4 * minute),
        previousSecretExpiresAt: before(-20 * hour),
      },
      {
        endpointId: 'whe_legacy',
        url: 'https://old.lakeside.example/hook',
        status: 'disabled',
        createdAt: before(300 * day),
        disabledReason: 'failing',
        disabledAt: before(2 * day),
        missedSince: before(6 * day),
      },
    ],
    deliveries: deliveries(),
    settings: settings(),
    deposit: {
      status: 'ready',
      accountId: 'acct_1LakesideFamily',
      bankAccount: { bankName: 'First Lakeside Bank', last4: '6789' },
      needs: [],
    },
    testBank,
    team: {
      members: [
        you,
        {
          userId: 'usr_sam',
          email: 'sam.lee@lakeside.example',
          role: 'staff',
          createdAt: before(90 * day),
          isYou: false,
        },
        {
          userId: 'usr_kim',
          email: 'kim.oh@accounting.example',
          role: 'viewer',
          createdAt: before(20 * day),
          isYou: false,
        },
      ],
      invitations: [
        {
          invitationId: 'inv_jo',
          email: 'jo.park@lakeside.example',
          role: 'staff',
          createdAt: before(3 * day),
          expiresAt: before(-4 * day),
          createdBy: 'ana.ruiz@lakeside.example',
        },
      ],
      yourMails: { topics: ['payment_failed', 'payment_returned'], sent: true },
    },
    auditLog: auditLog(),
  };
}

export function newPractice(): PracticeData {
  const { supportPhone: _phone, supportEmail: _email, ...named } = settings();
  const { postalAddress: _address, privacyUrl: _privacy, termsUrl: _terms, ...bare } = named;
  return {
    home: withoutPayments,
    sessions: [],
    evidence: undefined,
    keys: [],
    endpoints: [],
    deliveries: [],
    settings: {
      ...bare,
      practiceId: maple,
      name: 'Maple Street Clinic',
      createdAt: before(minute),
      primaryColor: '#1d4ed8',
    },
    deposit: { status: 'none', needs: [] },
    testBank,
    team: { members: [you], invitations: [], yourMails: { topics: [], sent: true } },
    auditLog: [
      {
        practiceId: maple,
        entryId: 'aud_01KAH0000000000000000000A0',
        at: before(50 * second),
        author: { kind: 'operator' },
        action: 'practice.created',
        target: maple,
      },
    ],
  };
}

/** A platform with more practices than fit on a page: Lakeside, and others by name. It uses only what a platform has. */
export function platform(): PracticeData {
  const facts = { platformSince: before(40 * day), missingForLinks: [] };
  const others = Array.from({ length: 300 }, (_, index) => `Clinic ${String(index + 1).padStart(3, '0')}`);
  const { keys, endpoints, deliveries: sent, team, ...rest } = oldPractice();
  return {
    ...rest,
    keys: keys.slice(0, 1),
    endpoints: endpoints.slice(0, 1),
    deliveries: sent,
    team: { ...team, invitations: [] },
    auditLog: rest.auditLog.slice(0, 3).map((entry) => ({ ...entry, practiceId: harbor })),
    practices: [
      { ...facts, practiceId: 'prc_birch', name: 'Birch Pediatrics', missingForLinks: ['terms', 'deposit'] },
      { ...facts, practiceId: 'prc_cedar', name: 'Cedar Clinic', suspendedAt: before(day) },
      ...others.map((name, index) => ({ ...facts, practiceId: `prc_clinic${index + 1}`, name })),
      { ...facts, practiceId: lakeside, name: 'Lakeside Family Dental' },
    ],
  };
}

export function alertsOf({ endpoints, sessions: all }: PracticeData): Alerts {
  const listed = all.map(({ session }) => session);
  return {
    endpoints: endpoints.filter(({ failingSince, disabledReason }) => failingSince ?? disabledReason),
    failed: listed.filter(({ status }) => status === 'failed').slice(0, 10),
    returned: listed.filter((session) => session.return).slice(0, 10),
    refundFailed: listed.filter(({ refund }) => refund?.status === 'failed'),
    linkRequests: listed
      .filter(({ cancellation }) => cancellation?.reason === 'expired')
      .map((session) => ({ ...session, linkRequestedAt: before(2 * 60 * 60 * second) })),
  };
}

function key(keyId: string, name: string, facts: Partial<KeySummary>): KeySummary {
  return { keyId, name, scopes: ['sessions:read', 'sessions:write'], createdAt: before(day), ...facts };
}

function evidence(): CheckedEvidence {
  const text =
    'I, Rosa Lopez, authorize Lakeside Family Dental and its payment processor to electronically debit my checking account at ' +
    'Sandbox Bank ending in 6789 once, for $182.50, for invoice INV-1043, on or after November 20, 2026.\nDate: November 19, 2026 (US Eastern time)';
  return {
    sessionId: 'ses_01KAGPAID00000000000000000',
    practiceId: lakeside,
    authorizationId: createHash('sha256').update(text).digest('base64url'),
    text,
    templateVersion: '2026-11-20',
    locale: 'en',
    amountCents: 18_250,
    invoiceId: 'INV-1043',
    payee: { name: 'Lakeside Family Dental', supportPhone: '+1 555 010 0100' },
    bankAccount: { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' },
    patient: { firstName: 'Maria', lastName: 'Lopez' },
    payerName: 'Rosa Lopez',
    processorAccount: 'acct_sandbox',
    sourceAddress: '203.0.113.7',
    viewerAddress: '198.51.100.24',
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15',
    authorizedAt: new Date(now - 5 * day).toISOString(),
    textMatchesAuthorizationId: true,
    references: { mandate: 'mandate_sandbox_ses', payment: 'sandbox_ses', routingNumberLast4: '0000' },
  };
}
