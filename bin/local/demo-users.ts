import { roles, userIdOf, type Member, type Role } from '../../functions/domain/team/member.ts';
import { toIso } from '../../functions/domain/time.ts';
import { insert } from '../../functions/store/rows.ts';
import type { LocalStack } from '../../lib/local/stack.ts';
import { generatePassword } from '../../lib/local/user-pool.ts';
import type { OperatedStack } from '../practice/stack.ts';

export interface DashboardUser {
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

/** Finds or creates a member of the practice for each role, at an address of `domain`. They share a password. */
export async function seedUsers(
  { users, issuer }: Pick<LocalStack, 'users' | 'issuer'>,
  { database }: Pick<OperatedStack, 'database'>,
  practiceId: string,
  now: number,
  domain = 'lakeside.example',
): Promise<DashboardUser[]> {
  const emailOf = (role: Role) => `${role}@${domain}`;
  const password = users.byEmail(emailOf('admin'))?.password ?? generatePassword();
  return Promise.all(
    roles.toReversed().map(async (role) => {
      const user = users.create({ email: emailOf(role), password });
      const identity = { issuer, subject: user.subject };
      const seeded: Member = {
        ...identity,
        userId: userIdOf(identity),
        email: user.email,
        practiceId,
        role,
        wantsAlerts: role === 'admin',
        createdAt: toIso(now),
      };
      await insert(database, 'members', seeded, 'userId');
      return { email: user.email, password: user.password, role };
    }),
  );
}
