import { randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dashboardRoutes, liveDashboardRoutes, sandboxDashboardRoutes } from '../../functions/contract/routes.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { userIdOf, type Role } from '../../functions/domain/team/member.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { getDashboardSession, insertDashboardSession } from '../../functions/store/team/dashboard-sessions.ts';
import { newMemberPart } from '../../functions/store/team/members.ts';
import { transact } from '../../functions/store/transact.ts';
import type { TestPractice } from './local-stack.ts';
import { signIn } from './sign-in.ts';
import type { TestDatabase } from './tables.ts';

const routes = { ...dashboardRoutes, ...liveDashboardRoutes, ...sandboxDashboardRoutes };
type RouteName = keyof typeof routes;

interface DashboardAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface DashboardUser {
  readonly userId: string;
  readonly cookie: string;
  /** Calls a route as the page does. `ids` fill in its path. */
  call(name: RouteName, ids?: Readonly<Record<string, string>>, body?: object): Promise<DashboardAnswer>;
  /** The same user with other headers. An empty header is not sent. */
  with(headers: Readonly<Record<string, string>>): DashboardUser;
}

interface UserOptions {
  readonly practiceId: string;
  readonly role: Role;
  readonly authenticatedAt?: number;
}

/** A member who is signed in already. */
export async function dashboardUser(
  { operated: { database }, dashboardUrl }: Pick<TestPractice, 'operated' | 'dashboardUrl'>,
  { practiceId, role, authenticatedAt = Date.now() }: UserOptions,
): Promise<DashboardUser> {
  const [secret, subject] = [randomBytes(32).toString('base64url'), randomBytes(8).toString('hex')];
  const identity = { issuer: 'https://issuer.example', subject };
  const user = { ...identity, userId: userIdOf(identity), email: `${role}-${subject}@example.com` };
  const now = toIso(Date.now());
  await transact(database, {
    member: newMemberPart(database, { ...user, practiceId, role, mailTopics: [], createdAt: now }),
  });
  const opened = { createdAt: now, lastSeenAt: now, authenticatedAt: toIso(authenticatedAt) };
  await insertDashboardSession(database, { ...user, ...opened, dashboardSessionId: sha256(secret) });
  const own = { cookie: `dashboard=${secret}`, 'x-dashboard': '1', 'sec-fetch-site': 'same-origin' };
  return caller(dashboardUrl, user.userId, own);
}

/** One of the stack's own users, who signs in at the issuer. */
export async function signInUser(
  dashboardUrl: string,
  credentials: Parameters<typeof signIn>[1],
): Promise<Pick<DashboardUser, 'cookie' | 'call'>> {
  const cookie = await signIn(dashboardUrl, credentials);
  return caller(dashboardUrl, '', { cookie, 'x-dashboard': '1', 'sec-fetch-site': 'same-origin' });
}

function caller(dashboardUrl: string, userId: string, headers: Readonly<Record<string, string>>): DashboardUser {
  return {
    userId,
    cookie: headers['cookie'] ?? '',
    with: (others) => caller(dashboardUrl, userId, { ...headers, ...others }),
    async call(name, ids = {}, body) {
      const { method, path } = routes[name];
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(ids[id] ?? ''));
      const sent = Object.entries(headers).filter(([, value]) => value !== '');
      const response = await fetch(`${dashboardUrl}${filled}`, {
        method,
        headers: { ...Object.fromEntries(sent), ...(body && { 'content-type': 'application/json' }) },
        ...(body && method === 'POST' && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
    },
  };
}

/** Pretends that the user has been away for a few minutes. Returns a function that tells when the user was last seen. */
export async function lastSeenBefore(
  database: TestDatabase,
  { cookie }: DashboardUser,
): Promise<() => Promise<string | undefined>> {
  const dashboardSessionId = sha256(cookie.slice('dashboard='.length));
  await database.documents.send(
    new UpdateCommand({
      TableName: database.tables.dashboardSessions,
      Key: { dashboardSessionId },
      UpdateExpression: 'SET lastSeenAt = :before',
      ConditionExpression: 'attribute_exists(lastSeenAt)',
      ExpressionAttributeValues: { ':before': toIso(Date.now() - 6 * minute) },
    }),
  );
  return async () => (await getDashboardSession(database, dashboardSessionId))?.lastSeenAt;
}
