import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { Author } from '../../functions/domain/team/audit-entry.ts';
import type { DashboardSession } from '../../functions/domain/team/sign-in.ts';
import { newSecret, sha256 } from '../../functions/domain/identifier.ts';
import { userIdOf, type Member, type Role, type User } from '../../functions/domain/team/member.ts';
import { insertDashboardSession } from '../../functions/store/team/dashboard-sessions.ts';
import type { Database } from '../../functions/store/database.ts';
import { newMemberPart } from '../../functions/store/team/members.ts';
import { transact } from '../../functions/store/transact.ts';

const issuer = 'https://issuer.example';

export function aUser(name: string): User {
  const identity = { issuer, subject: `${name}-${randomBytes(4).toString('hex')}` };
  return { ...identity, userId: userIdOf(identity), email: `${name}@lakeside.example` };
}

export function authorOf({ userId, email }: User): Author {
  return { kind: 'user', userId, email, address: '192.0.2.1' };
}

export async function addMember(
  database: Database,
  practiceId: string,
  role: Role,
  user = aUser(role),
): Promise<Member> {
  const member = { ...user, practiceId, role, mailTopics: [], createdAt: new Date().toISOString() };
  await transact(database, { member: newMemberPart(database, member) });
  return member;
}

/** Returns the cookie's value. */
export async function openDashboardSession(
  database: Database,
  { userId, issuer: ofUser, subject, email }: User,
  differences: Partial<DashboardSession> = {},
): Promise<string> {
  const secret = newSecret(randomBytes);
  const now = new Date().toISOString();
  await insertDashboardSession(database, {
    userId,
    issuer: ofUser,
    subject,
    email,
    dashboardSessionId: sha256(secret),
    createdAt: now,
    lastSeenAt: now,
    authenticatedAt: now,
    ...differences,
  });
  return secret;
}

/** `cookie` is the `Cookie` header of a dashboard's session; without one, nobody is signed in. */
export async function signedInContext(
  browser: Browser,
  { dashboardUrl, cookie = '' }: { readonly dashboardUrl: string; readonly cookie?: string },
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', ...options });
  for (const pair of cookie.split('; ').filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=');
    await context.addCookies([{ name, value, url: dashboardUrl, httpOnly: true, sameSite: 'Lax' }]);
  }
  return context;
}
