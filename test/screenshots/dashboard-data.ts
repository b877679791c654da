import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { seedUsers } from '../../bin/local/demo-practice.ts';
import { createPractice } from '../../functions/practices/create.ts';
import type { Patient, Session } from '../../functions/domain/sessions/session.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { day, hour, toIso } from '../../functions/domain/time.ts';
import { insert } from '../../functions/store/rows.ts';
import { listAttributes } from '../../functions/store/sessions/sessions.ts';
import { author } from '../support/create-practice.ts';
import { dashboardUser, signInUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestStack } from '../support/local-stack.ts';
import { pictures } from '../support/pictures.ts';
import { databaseOf } from '../support/tables.ts';
import { aSession } from '../support/examples.ts';

export type Visitor = 'admin' | 'staff' | 'viewer' | 'long signed in' | 'nobody';

/** The data that the pictures show. */
export interface FilledPractice {
  readonly dashboardUrl: string;
  readonly practiceId: string;
  readonly newPracticeId: string;
  readonly sessions: Readonly<
    Record<'pending' | 'connected' | 'processing' | 'paid' | 'failed' | 'returned' | 'cancelled', string>
  >;
  readonly endpoints: Readonly<Record<'healthy' | 'failing' | 'gone', string>>;
  readonly invitationToken: string;
  readonly cookies: Readonly<Record<Exclude<Visitor, 'nobody'>, string>>;
  call: DashboardUser['call'];
  stop(): Promise<void>;
}

/** Answers every request with this status. */
async function startServer(status: number, body: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks/payments`,
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await done()); await wait(200))
    if (Date.now() > deadline) throw new Error('The practice was not filled within 30 s.');
}

/** Creates everything through the APIs, except what is in the past. */
export async function fillPractice(service: TestStack): Promise<FilledPractice> {
  const { dashboardUrl, operated, stack, practice, dashboardUsers } = service;
  const { practiceId } = practice;
  const [signedIn, servers] = await Promise.all([
    Promise.all(dashboardUsers.map(async (user) => [user.role, await signInUser(dashboardUrl, user)] as const)),
    Promise.all([
      startServer(204, ''),
      startServer(500, 'upstream connect error or disconnect/reset before headers'),
      startServer(410, 'Gone'),
    ]),
    writeHistory(databaseOf(stack), practiceId, Date.now()),
  ]);
  const users = Object.fromEntries(signedIn);
  const { admin } = users;
  if (!admin) throw new Error('The stack has no admin.');
  const change: DashboardUser['call'] = async (name, ids, body) => {
    const answer = await admin.call(name, { practiceId, ...ids }, body);
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${answer.text}`);
    return answer;
  };

  await change('changeLogo', {}, { logo: pictures.png.toString('base64') });
  const shown = {
    postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
    termsUrl: 'https://lakeside.example/terms',
  };
  await change('changeSettings', {}, { primaryColor: '#0f766e', supportEmail: 'billing@lakeside.example', ...shown });
  for (const [name, differences] of [
    ['Practice management system', {}],
    ['Front desk tablet', { scopes: ['sessions:read'], expiresInDays: 3 }],
  ] as const)
    await change('createKey', {}, { name, ...differences });
  const leaked = await change('createKey', {}, { name: 'Old billing system' });
  await change('revokeKey', { keyId: String(leaked.body['keyId']) });
  const invited = await change('inviteMember', {}, { email: 'dr.featherstonehaugh@lakeside.example', role: 'viewer' });
  const [healthy, failing, gone] = await Promise.all(
    servers.map(async ({ url }) => String((await change('createWebhookEndpoint', {}, { url })).body['endpointId'])),
  );

  const invoice = (number: number) => ({
    invoiceId: `INV-${number}`,
    amountCents: amountAt(number),
    patient: patientAt(number),
  });
  const [connected, processing, paid, failed, returned] = await Promise.all([
    service.connect('user_good', invoice(2_002)),
    service.pay('user_stuck', invoice(2_003)),
    service.pay('user_good', { ...invoice(2_004), metadata: { location: 'north', visit: '2026-11-18' } }),
    service.pay('user_insufficient_funds', invoice(2_005)),
    service.pay('user_late_return', invoice(2_006)),
  ]);
  const cancelled = await service.createSession(invoice(2_007));
  await service.client.sessions.cancel(cancelled.sessionId);
  const pending = await service.createSession(invoice(2_001));
  await until(async () => {
    const { body } = await change('getAlerts');
    const [endpoints, returns] = [body['endpoints'], body['returned']];
    return Array.isArray(endpoints) && endpoints.length === 2 && Array.isArray(returns) && returns.length > 0;
  });

  const created = await createPractice(operated, { name: 'Harbor Pediatrics', author }, Date.now());
  await seedUsers(stack, operated, created.practiceId, Date.now());
  const longAgo = { practiceId: created.practiceId, role: 'admin', authenticatedAt: Date.now() - 600_000 } as const;
  const longSignedIn = await dashboardUser(service, longAgo);
  return {
    dashboardUrl,
    practiceId,
    newPracticeId: created.practiceId,
    sessions: {
      pending: pending.sessionId,
      connected: connected.sessionId,
      processing: processing.sessionId,
      paid: paid.sessionId,
      failed: failed.sessionId,
      returned: returned.sessionId,
      cancelled: cancelled.sessionId,
    },
    endpoints: { healthy: healthy ?? '', failing: failing ?? '', gone: gone ?? '' },
    invitationToken: String(invited.body['invitationUrl']).split('#')[1] ?? '',
    cookies: {
      admin: admin.cookie,
      staff: users['staff']?.cookie ?? '',
      viewer: users['viewer']?.cookie ?? '',
      'long signed in': longSignedIn.cookie,
    },
    call: change,
    async stop() {
      for (const server of servers) await server.stop();
    },
  };
}

const patients = [
  ['Ada', 'Okafor'],
  ['Miguel', 'Santos-Alvarez'],
  ['Priya', 'Raman'],
  ['Jonathan', 'Featherstonehaugh'],
  ['Lena', 'Brandt'],
  ['Thu', 'Nguyen'],
] as const;

function patientAt(index: number): Patient {
  const [firstName, lastName] = patients[index % patients.length] ?? patients[0];
  return { firstName, lastName };
}

/** The same numbers in every run. */
function amountAt(index: number): number {
  return 2_500 + ((index * 7_919) % 41_000);
}

/** Weeks of payments, which the API cannot create in the past. */
async function writeHistory(database: ReturnType<typeof databaseOf>, practiceId: string, now: number): Promise<void> {
  const rows: Session[] = [];
  for (let age = 29; age >= 1; age -= 1) {
    const weekend = [0, 6].includes(new Date(now - age * day).getUTCDay());
    for (let count = 0; count < (weekend ? 1 : 2 + (age % 3)); count += 1) {
      const index = age * 5 + count;
      const createdAt = now - age * day - count * hour;
      rows.push(
        aSession({
          practiceId,
          sessionId: `ses_${ulid(createdAt, (size) => Buffer.alloc(size, index))}`,
          tokenHash: `history-${index}`,
          invoiceId: `INV-${1_900 - index}`,
          amountCents: amountAt(index),
          patient: patientAt(index),
          createdAt: toIso(createdAt),
          expiresAt: toIso(createdAt + 7 * day),
          ...outcomeAt(index, createdAt, now),
        }),
      );
    }
  }
  for (const row of rows) await insert(database, 'sessions', { ...row, ...listAttributes(row) }, 'sessionId');
}

function outcomeAt(index: number, createdAt: number, now: number): Partial<Session> {
  if (index % 13 === 0)
    return {
      status: 'cancelled',
      cancelledAt: toIso(createdAt + 7 * day),
      cancellation: { reason: 'expired' },
    };
  const processingAt = toIso(createdAt + 2 * hour);
  const settledAt = createdAt + 2 * day;
  if (settledAt > now) return { status: 'processing', processingAt };
  return { status: 'succeeded', processingAt, settledAt: toIso(settledAt) };
}
