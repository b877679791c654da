import type * as z from 'zod';
import type {
  dashboardRoutes,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
} from '../../../functions/contract/routes.ts';
import type { ProblemCode } from '../../../functions/contract/problem.ts';
import { defaultScopes } from '../../../functions/domain/practices/api-key.ts';
import { hasOutcome, type Outcome } from '../../../functions/domain/sessions/outcome.ts';
import { hasNames, isNamed } from '../../../functions/domain/sessions/patient-search.ts';
import type { Role } from '../../../functions/domain/team/member.ts';
import { day, hour, second } from '../../../functions/domain/time.ts';
import { alertsOf, type PracticeData } from './practice-data.ts';
import { paidSessionId, anOpenedPayout, aStatement } from './payment-data.ts';
import { before } from './time-data.ts';

type Routes = typeof dashboardRoutes & typeof liveDashboardRoutes & typeof sandboxDashboardRoutes;
export type RouteName = keyof Routes;

export interface Call<Name extends RouteName = RouteName> {
  readonly route: Name;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as the route parsed it. */
  readonly body: z.infer<Routes[Name]['body']>;
  readonly role: Role;
}

export interface Refusal {
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly errors?: readonly { pointer: string; code: string; detail: string }[];
}

type Answer<Name extends RouteName> = z.infer<Routes[Name]['response']> | Refusal;
export type MemberRouteName = Exclude<
  RouteName,
  'beginSignIn' | 'finishSignIn' | 'signOut' | 'getMe' | 'acceptInvitation'
>;

const sandboxKey = `pip_sandbox_kJust0000006_${'s'.repeat(43)}`;
const newSecret = `whsec_${Buffer.from('a new signing secret of 32 bytes').toString('base64')}`;

/** Answers as the service would answer a member. Their changes show up in later answers. */
export const memberAnswers: {
  readonly [Name in MemberRouteName]: (data: PracticeData, call: Call<Name>) => Answer<Name>;
} = {
  getHome: ({ home }) => home,
  getAlerts(data, { role }) {
    const { endpoints, failed, returned, refundFailed, linkRequests } = alertsOf(data);
    const named = <Session extends { patient?: unknown }>(all: readonly Session[]) =>
      all.map((session) => forRole(session, role));
    return {
      endpoints,
      failed: named(failed),
      returned: named(returned),
      refundFailed: named(refundFailed),
      linkRequests: named(linkRequests),
    };
  },

  listSessions({ sessions }, { query, role }) {
    const outcome = query.getAll('outcome') as Outcome[];
    const statuses = query.getAll('status');
    const found = sessions
      .map(({ session }) => session)
      .filter(
        (session) =>
          (statuses.length === 0 || statuses.includes(session.status)) &&
          (!query.has('invoiceId') || session.invoiceId === query.get('invoiceId')) &&
          (outcome.length === 0 || hasOutcome(session, outcome)) &&
          session.createdAt >= (query.get('createdSince') ?? '') &&
          session.createdAt < (query.get('createdBefore') ?? '9999'),
      );
    const { data, nextCursor } = pageOf(found, query, Number(query.get('limit') ?? 25));
    return { data: data.map((session) => forRole(session, role)), nextCursor };
  },
  searchSessions({ sessions }, { body, role }) {
    const { text = '', sessionIds, outcome = [], createdSince = '', createdBefore = '9999' } = body;
    const found = sessions
      .map(({ session }) => session)
      .filter((session) => {
        const named =
          role !== 'viewer' && session.patient && (isNamed(session.patient, text) || hasNames(session.patient, text));
        const { invoiceId, sessionId, createdAt } = session;
        const numbered = [invoiceId, sessionId.slice(-10), sessionId].some(
          (number) => number.toUpperCase() === text.toUpperCase(),
        );
        const fits = outcome.length === 0 || hasOutcome(session, outcome);
        const sought = sessionIds ? sessionIds.includes(sessionId) : named || numbered;
        return sought && fits && createdAt >= createdSince && createdAt < createdBefore;
      });
    return { data: found.slice(0, 100).map((session) => forRole(session, role)), complete: found.length <= 100 };
  },
  getSession({ sessions }, { params, role }) {
    const found = sessions.find(({ session }) => session.sessionId === params['sessionId']);
    return found ? { ...found, session: forRole(found.session, role) } : { code: 'session_not_found' };
  },
  getEvidence: ({ evidence }, { params }) =>
    evidence && params['sessionId'] === paidSessionId ? evidence : { code: 'authorization_not_found' },
  createSession({ sessions }, { body }) {
    const { invoiceId, amountCents, patient, metadata = {}, locale } = body;
    const sessionId = `ses_01KAGNEW00000000000000000${sessions.length}`;
    const times = { createdAt: before(0), expiresAt: before(-7 * day) };
    const session = { sessionId, invoiceId, amountCents, patient, metadata, status: 'pending' as const, ...times };
    sessions.unshift({ session, bankConnectionAttemptsRemaining: 5, events: [] });
    return {
      sessionId,
      amountCents,
      status: 'pending',
      hostedUrl: `https://pay.example/s/${'t'.repeat(43)}${locale ? `?lang=${locale}` : ''}`,
      ...(invoiceId === 'INV-1043' && { blockedBy: 'invoice_already_paid' as const }),
      ...times,
    };
  },
  cancelSession({ sessions }, { params }) {
    const found = sessions.find(({ session }) => session.sessionId === params['sessionId']);
    if (!found) return { code: 'session_not_found' };
    if (!['pending', 'processing'].includes(found.session.status)) return { code: 'session_not_cancellable' };
    found.session = {
      ...found.session,
      status: 'cancelled',
      cancelledAt: before(0),
      cancellation: { reason: 'requested_by_practice' },
    };
    return { sessionId: found.session.sessionId, status: 'cancelled', cancelledAt: before(0) };
  },
  refundSession({ sessions }, { params, body: { refundId, amountCents } }) {
    const found = sessions.find(({ session }) => session.sessionId === params['sessionId']);
    if (!found) return { code: 'session_not_found' };
    const given = (found.session.refund?.amountCents ?? 0) + amountCents;
    if (given > found.session.amountCents) return { code: 'refund_too_large' };
    const refund = { amountCents: given, pendingCents: given, status: 'pending', refundedAt: before(0) } as const;
    found.session = { ...found.session, refund };
    return { sessionId: found.session.sessionId, refundId, amountCents };
  },
  erasePatient({ sessions }, { params }) {
    const found = sessions.find(({ session }) => session.sessionId === params['sessionId']);
    if (!found) return { code: 'session_not_found' };
    const { patient: _patient, ...session } = found.session;
    const { bankAccount: _bankAccount, ...detail } = found;
    sessions[sessions.indexOf(found)] = { ...detail, session: { ...session, metadata: {}, scrubbedAt: before(0) } };
    const evidence = session.processingAt !== undefined && { evidenceKeptUntil: before(-7 * 365 * day) };
    return { sessionId: session.sessionId, scrubbedAt: before(0), ...evidence };
  },
  replaceLink: (_data, { params }) => ({
    sessionId: params['sessionId'] ?? '',
    hostedUrl: `https://pay.example/s/${'n'.repeat(43)}`,
    linkReplacedAt: before(0),
    expiresAt: before(-7 * day),
  }),

  listKeys: ({ keys }) => ({ keys }),
  createKey({ keys }, { body }) {
    const { name, scopes = [...defaultScopes], expiresInDays } = body;
    keys.push({
      keyId: 'kJust0000006',
      name,
      scopes,
      createdAt: before(0),
      ...(expiresInDays !== undefined && { expiresAt: before(-expiresInDays * day) }),
    });
    return { keyId: 'kJust0000006', apiKey: sandboxKey };
  },
  rotateKey({ keys }, { params, body }) {
    const old = keys.find(({ keyId }) => keyId === params['keyId']);
    if (!old) return { code: 'api_key_not_found' };
    if (old.revokedAt ?? (old.expiresAt !== undefined && old.expiresAt <= before(0))) return { code: 'api_key_ended' };
    const ends = { now: 0, '1h': hour, '24h': day, '7d': 7 * day };
    const previousKeyExpiresAt = before(-ends[body.end]);
    old.expiresAt = previousKeyExpiresAt;
    keys.push({ keyId: 'kJust0000006', name: old.name, scopes: old.scopes, createdAt: before(0) });
    return { keyId: 'kJust0000006', apiKey: sandboxKey, previousKeyId: old.keyId, previousKeyExpiresAt };
  },
  revokeKey({ keys }, { params }) {
    const old = keys.find(({ keyId }) => keyId === params['keyId']);
    if (!old) return { code: 'api_key_not_found' };
    old.revokedAt ??= before(0);
    return { keyId: old.keyId, revokedAt: old.revokedAt };
  },

  listWebhookEndpoints: ({ endpoints }) => ({ endpoints }),
  createWebhookEndpoint({ endpoints }, { body }) {
    if (!/^https?:\/\/(?!10\.)/.test(body.url))
      return { code: 'webhook_url_not_allowed', detail: 'Use an https URL with a public address.' };
    endpoints.push({ endpointId: 'whe_new', status: 'enabled', createdAt: before(0), ...body });
    return { endpointId: 'whe_new', url: body.url, signingSecret: newSecret };
  },
  changeWebhookEndpoint: (data, { params, body }) =>
    changeEndpoint(data, params, ({ eventTypes: _, ...endpoint }) => ({
      ...endpoint,
      ...(Array.isArray(body.eventTypes) && { eventTypes: body.eventTypes }),
      ...(body.retryPolicy && { retryPolicy: body.retryPolicy }),
    })),
  moveWebhookEndpoint: (data, { params, body }) =>
    /^https?:\/\/(?!10\.)/.test(body.url)
      ? changeEndpoint(data, params, (endpoint) => ({ ...endpoint, url: body.url }))
      : { code: 'webhook_url_not_allowed', detail: 'Use an https URL with a public address.' },
  /** Enabling clears `missedSince`: only this answer has it. */
  setWebhookEndpointStatus(data, { params, body }) {
    const asRead = data.endpoints.find(({ endpointId }) => endpointId === params['endpointId']);
    const changed = changeEndpoint(data, params, ({ endpointId, url, createdAt, eventTypes, retryPolicy }) => ({
      endpointId,
      url,
      createdAt,
      status: body.status,
      ...(eventTypes && { eventTypes }),
      ...(retryPolicy && { retryPolicy }),
      ...(body.status === 'disabled' && { disabledAt: before(0) }),
    }));
    const missedSince = asRead?.missedSince ?? asRead?.disabledAt;
    return body.status === 'enabled' && missedSince !== undefined ? { ...changed, missedSince } : changed;
  },
  deleteWebhookEndpoint(data, { params }) {
    data.endpoints = data.endpoints.filter(({ endpointId }) => endpointId !== params['endpointId']);
    return { endpointId: params['endpointId'] ?? '', status: 'deleted' };
  },
  revealSigningSecret: () => ({
    signingSecret: `whsec_${Buffer.from('the signing secret of today').toString('base64')}`,
  }),
  rotateSigningSecret: (_data, { body }) => ({
    signingSecret: newSecret,
    previousSecretExpiresAt: before(-body.keepOldHours * hour),
  }),
  replayWebhookEndpoint: (_data, { body }) => ({ since: new Date(body.since).toISOString(), replayed: 3, more: false }),
  testWebhookEndpoint({ deliveries }, { params }) {
    const endpointId = params['endpointId'] ?? '';
    const eventId = `evt_TEST${deliveries.length}`;
    deliveries.unshift({
      delivery: {
        eventId,
        endpointId,
        eventType: 'webhook.test',
        status: 'pending',
        attempts: 0,
        createdAt: before(0),
        nextAttemptAt: before(0),
      },
      body: JSON.stringify({ id: eventId, type: 'webhook.test', data: {} }),
      attempts: [],
    });
    return { eventId, endpointId };
  },

  listDeliveries({ deliveries }, { query }) {
    const found = deliveries
      .map(({ delivery }) => delivery)
      .filter((delivery) =>
        (['status', 'endpointId', 'sessionId'] as const).every(
          (name) => !query.has(name) || delivery[name] === query.get(name),
        ),
      );
    return pageOf(found, query, 25);
  },
  /** The first request for a test event's delivery finds it pending, and later ones find the answer. */
  getDelivery({ deliveries, endpoints }, { params }) {
    const found = deliveries.find(
      ({ delivery }) => delivery.eventId === params['eventId'] && delivery.endpointId === params['endpointId'],
    );
    if (!found) return { code: 'delivery_not_found' };
    const asked = structuredClone(found);
    if (found.delivery.eventType === 'webhook.test' && found.delivery.status === 'pending') {
      found.attempts = [
        {
          attemptNumber: 1,
          url: endpoints.find(({ endpointId }) => endpointId === params['endpointId'])?.url ?? '',
          startedAt: before(0),
          durationMilliseconds: 112,
          statusCode: 200,
          responseExcerpt: '{"received":true}',
          responseTruncated: false,
        },
      ];
      found.delivery = { ...found.delivery, status: 'delivered', attempts: 1, deliveredAt: before(-second) };
    }
    return asked;
  },
  resendDelivery({ deliveries }, { params }) {
    const found = deliveries.find(
      ({ delivery }) => delivery.eventId === params['eventId'] && delivery.endpointId === params['endpointId'],
    );
    if (!found) return { code: 'delivery_not_found' };
    found.delivery = { ...found.delivery, status: 'pending', nextAttemptAt: before(0) };
    return { eventId: found.delivery.eventId, endpointId: found.delivery.endpointId };
  },

  getSettings: ({ settings, missingForLinks = [] }) => ({ ...settings, missingForLinks }),
  changeSettings(data, { body }) {
    const merged = Object.entries({ ...data.settings, ...body });
    data.settings = Object.fromEntries(merged.filter(([, value]) => value !== null)) as typeof data.settings;
    return data.settings;
  },
  changeLogo(data, { body }) {
    const { logoUrl: _, ...without } = data.settings;
    data.settings = { ...without, ...(body.logo && { logoUrl: '/logos/logo.png' }) };
    return data.settings;
  },
  listPlatformPractices({ practices = [] }, { query }) {
    const name = query.get('name')?.toLowerCase() ?? '';
    return pageOf(
      practices.filter((each) => each.name.toLowerCase().includes(name)),
      query,
      50,
    );
  },
  endPlatformAccess(data) {
    const { platformId, platformSince: _since, platformName: _name, ...left } = data.settings;
    if (platformId === undefined) return { code: 'practice_in_no_platform' };
    data.settings = left;
    return { practiceId: left.practiceId, platformId, leftAt: before(0) };
  },
  getDeposit: ({ deposit }) => deposit,
  startDepositOnboarding: () => ({ url: 'https://connect.example/setup/acct_1' }),
  acceptTerms(data, { body: { version } }) {
    const termsAccepted = { version, at: before(0), by: 'ana.ruiz@lakeside.example' };
    data.settings = { ...data.settings, termsAccepted };
    return { termsAccepted };
  },

  getStatement: (_, { query }) => aStatement(query.get('month') ?? undefined),
  listStatementLines: () => ({ lines: anOpenedPayout(paidSessionId).lines }),
  getPayout: (_, { params }) =>
    params['payoutId'] === 'po_1TestPayout' ? anOpenedPayout(paidSessionId) : { code: 'payout_not_found' },
  getPayoutOfSession: () => ({ payout: { payoutId: 'po_1TestPayout', arrivesOn: '2026-11-09', status: 'paid' } }),
  getTestBank: ({ testBank }) => testBank,
  changeTestBankPassword: (data) => (data.testBank = { ...data.testBank, password: 'maple-heron-9073' }),

  getTeam: ({ team }) => team,
  inviteMember({ team }, { body }) {
    const { email, role } = body;
    const invitation = { invitationId: `inv_${team.invitations.length}`, email, role, expiresAt: before(-7 * day) };
    team.invitations.push({ ...invitation, createdAt: before(0), createdBy: 'ana.ruiz@lakeside.example' });
    return {
      ...invitation,
      invitationUrl: `https://dashboard.example/join#${'i'.repeat(43)}`,
      mailed: false,
      createsAccount: true,
    };
  },
  revokeInvitation({ team }, { params }) {
    team.invitations = team.invitations.filter(({ invitationId }) => invitationId !== params['invitationId']);
    return { invitationId: params['invitationId'] ?? '' };
  },
  changeMember({ team }, { params, body }) {
    const found = team.members.find(({ userId }) => userId === params['userId']);
    if (!found) return { code: 'member_not_found' };
    if (found.role === 'admin' && team.members.filter(({ role }) => role === 'admin').length === 1)
      return { code: 'last_admin' };
    found.role = body.role;
    return { userId: found.userId, role: found.role };
  },
  removeMember({ team }, { params }) {
    team.members = team.members.filter(({ userId }) => userId !== params['userId']);
    return { userId: params['userId'] ?? '' };
  },
  changeMailTopics: (_data, { body }) => body,
  listAuditLog: ({ auditLog }, { query }) => pageOf(auditLog, query, 25),
};

function pageOf<Item>(items: readonly Item[], query: URLSearchParams, size: number) {
  const start = Number(query.get('cursor') ?? 0);
  const end = start + size;
  return { data: items.slice(start, end), nextCursor: end < items.length ? String(end) : null };
}

function forRole<Session extends { patient?: unknown }>(session: Session, role: Role) {
  if (role !== 'viewer') return session;
  const { patient: _, ...nameless } = session;
  return nameless;
}

type Endpoint = PracticeData['endpoints'][number];

function changeEndpoint(
  data: PracticeData,
  params: Call['params'],
  change: (endpoint: Endpoint) => Endpoint,
): Endpoint | Refusal {
  const found = data.endpoints.find(({ endpointId }) => endpointId === params['endpointId']);
  if (!found) return { code: 'webhook_endpoint_not_found' };
  const changed = change(found);
  data.endpoints = data.endpoints.map((endpoint) => (endpoint === found ? changed : endpoint));
  return changed;
}

export function isRefusal(answer: object): answer is Refusal {
  return 'code' in answer;
}
