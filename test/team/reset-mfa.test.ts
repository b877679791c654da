import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { resetMfa } from '../../functions/team/reset-mfa.ts';
import { userIdOf, type User } from '../../functions/domain/team/member.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import type { UserPool } from '../../functions/messages/team/user-pool.ts';
import type { Database } from '../../functions/store/database.ts';
import { getMember, listMembers, oldSubjectOfReset } from '../../functions/store/team/members.ts';
import { crashAt, crashingDatabase } from '../payments/crash.ts';
import { addMember, aUser } from '../support/dashboard.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;
const operator = { kind: 'operator' } as const;
const aPracticeId = () => `prc_${randomBytes(6).toString('hex')}`;

/** Like Cognito's: one user per address, a new subject each time. */
function aPool(...users: User[]): UserPool & { readonly subjects: Map<string, string> } {
  const subjects = new Map(users.map(({ email = '', subject }) => [email, subject]));
  return {
    subjects,
    async createUser(email) {
      const subject = subjects.get(email) ?? `new-${randomBytes(4).toString('hex')}`;
      subjects.set(email, subject);
      return subject;
    },
    subjectOf: async (email) => subjects.get(email),
    async deleteUser(subject) {
      for (const [email, each] of subjects) if (each === subject) subjects.delete(email);
    },
  };
}

function reset({ issuer, email = '' }: User, userPool: UserPool, on: Database = database) {
  return resetMfa({ database: on, randomBytes, issuer, userPool }, { email, author: operator }, Date.now());
}

test('the new user has the roles of the old one, and the audit log of each practice says why', async () => {
  const ada = aUser('ada');
  const practices = [aPracticeId(), aPracticeId()].sort();
  for (const practiceId of practices) await addMember(database, practiceId, 'admin', ada);
  const other = await addMember(database, practices[0] ?? '', 'viewer');

  const pool = aPool(ada);
  const { practices: moved } = await reset(ada, pool);
  expect(moved.toSorted()).toEqual(practices);
  const subject = pool.subjects.get(ada.email ?? '') ?? '';
  expect(subject).not.toBe(ada.subject);
  const userId = userIdOf({ issuer: ada.issuer, subject });
  for (const practiceId of practices) {
    expect(await getMember(database, { practiceId, userId: ada.userId })).toBeUndefined();
    const member = await getMember(database, { practiceId, userId });
    expect(member).toMatchObject({ role: 'admin', email: ada.email, subject });
    const { entries } = await listAuditLog(database, practiceId, { limit: 10 });
    expect(entries).toMatchObject([
      { action: 'member.mfa_reset', author: operator, target: userId, details: { email: ada.email } },
    ]);
  }
  expect(await listMembers(database, other.practiceId)).toContainEqual(other);
});

describe('a reset that fails', () => {
  const moments = ['before', 'after'] as const;
  const steps = ['deleteUser', 'createUser', 'begin', 'first move', 'second move', 'end'] as const;
  test.each(steps.flatMap((step) => moments.map((moment) => [moment, step] as const)))(
    '%s its step %s is finished by the next one',
    async (moment, step) => {
      const ada = aUser(`ada-${randomBytes(4).toString('hex')}`);
      const practices = [aPracticeId(), aPracticeId()];
      for (const practiceId of practices) await addMember(database, practiceId, 'admin', ada);
      const pool = aPool(ada);
      const poolCrash = crashAt(['deleteUser', 'createUser'].indexOf(step) + 1, moment);
      const failing: UserPool = {
        ...pool,
        deleteUser: (subject) => poolCrash.guard(() => pool.deleteUser(subject)),
        createUser: (email) => poolCrash.guard(() => pool.createUser(email)),
      };
      const writes = crashAt(['begin', 'first move', 'second move', 'end'].indexOf(step) + 1, moment);
      await expect(reset(ada, failing, crashingDatabase(tables, writes))).rejects.toThrow('killed');

      await reset(ada, pool);
      const { issuer } = ada;
      const userId = userIdOf({ issuer, subject: pool.subjects.get(ada.email ?? '') ?? '' });
      expect(userId).not.toBe(ada.userId);
      for (const practiceId of practices) {
        expect(await listMembers(database, practiceId)).toMatchObject([{ userId, role: 'admin', email: ada.email }]);
        const { entries } = await listAuditLog(database, practiceId, { limit: 10 });
        expect(entries.some(({ action, target }) => action === 'member.mfa_reset' && target === userId)).toBe(true);
      }
      expect(await oldSubjectOfReset(database, ada.email ?? '')).toBeUndefined();
    },
  );
});

test('a user without a practice is only replaced', async () => {
  const eve = aUser('eve');
  expect(await reset(eve, aPool(eve))).toMatchObject({ practices: [] });
});

test('nothing changes if the pool does not know the user', async () => {
  const refused = reset(aUser('nobody'), aPool());
  expect(await problemOf(refused)).toMatchObject({ code: 'user_not_found' });
});
