import type { Me } from '../contract/team/dashboard-me.ts';
import type { DashboardSession } from '../domain/team/dashboard-session.ts';
import type { Mode } from '../domain/mode.ts';
import type { Database } from '../store/database.ts';
import { listMemberships } from '../store/team/members.ts';
import { getExistingPractice } from '../store/practices/practices.ts';

interface Tools {
  readonly database: Database<'members' | 'practices'>;
  readonly mode: Mode;
}

/** Eventually consistent: a new membership can take a moment to show. */
export async function getMe(
  { database, mode }: Tools,
  { userId, email, authenticatedAt }: DashboardSession,
): Promise<Me> {
  const memberships = await listMemberships(database, userId);
  const practices = await Promise.all(
    memberships.map(async ({ practiceId, role, wantsAlerts }) => {
      const { name } = await getExistingPractice(database, practiceId);
      return { practiceId, name, role, wantsAlerts };
    }),
  );
  practices.sort((left, right) => left.name.localeCompare(right.name));
  return { user: { userId, email, authenticatedAt }, mode, practices };
}
