import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { resetMfa } from '../../functions/dashboard/reset-mfa.ts';
import { userIdOf, type User } from '../../functions/domain/member.ts';
import { listAuditLog } from '../../functions/store/audit-log.ts';
import { getMember, listMembers } from '../../functions/store/members.ts';
import { addMember, aUser } from '../support/dashboard.ts';
import { problemOf } from '../support/problem-of.ts';
import { startTestTables } from '../support/test-tables.ts';

const { database } = await startTestTables();
const operator = { kind: 'operator' } as const;
const aPracticeId = () => `prc_${randomBytes(6).toString('hex')}`;

function reset({ issuer, subject, email = '' }: User, newSubject: string) {
  const replaceUser = async () => ({ oldSubject: subject, newSubject });
  return resetMfa({ database, randomBytes, issuer, replaceUser }, { email, author: operator }, Date.now());
}

test('the new user has the roles of the old one, and the audit log of each practice says why', async () => {
  const ada = aUser('ada');
  const practices = [aPracticeId(), aPracticeId()].sort();
  for (const practiceId of practices) await addMember(database, practiceId, 'admin', ada);
  const other = await addMember(database, practices[0] ?? '', 'viewer');

  const { practices: moved } = await reset(ada, 'new-subject');
  expect(moved.toSorted()).toEqual(practices);
  const userId = userIdOf({ issuer: ada.issuer, subject: 'new-subject' });
  for (const practiceId of practices) {
    expect(await getMember(database, { practiceId, userId: ada.userId })).toBeUndefined();
    const member = await getMember(database, { practiceId, userId });
    expect(member).toMatchObject({ role: 'admin', email: ada.email, subject: 'new-subject' });
    const { entries } = await listAuditLog(database, practiceId, { limit: 10 });
    expect(entries).toMatchObject([
      { action: 'member.mfa_reset', author: operator, target: userId, details: { email: ada.email } },
    ]);
  }
  expect(await listMembers(database, other.practiceId)).toContainEqual(other);
});

test('a user of the pool who belongs to no practice is only replaced', async () => {
  expect(await reset(aUser('eve'), 'another-subject')).toMatchObject({ practices: [] });
});

test('nothing changes for a user whom the pool does not know', async () => {
  const tools = { database, randomBytes, issuer: 'https://issuer.example', replaceUser: async () => undefined };
  const refused = resetMfa(tools, { email: 'nobody@example.com', author: operator }, Date.now());
  expect(await problemOf(refused)).toMatchObject({ code: 'user_not_found' });
});
