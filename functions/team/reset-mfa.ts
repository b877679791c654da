import { Problem } from '../contract/problem.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import { userIdOf, type User } from '../domain/team/member.ts';
import type { UserPool } from '../messages/team/user-pool.ts';
import { auditPart } from '../store/team/audit-log.ts';
import type { WritingTools } from '../store/database.ts';
import {
  getMember,
  listMemberships,
  newMemberPart,
  removalPart,
  beginMfaReset,
  endMfaReset,
  oldSubjectOfReset,
} from '../store/team/members.ts';
import { transact, untilWritten } from '../store/transact.ts';

interface Tools extends WritingTools {
  readonly issuer: string;
  readonly userPool: UserPool;
}

/**
 * Cognito cannot reset MFA where it is required, so a new user takes over the memberships. The old user's sessions lose
 * their access. After a failure, the next call finishes what this one began.
 */
export async function resetMfa(tools: Tools, { email, author }: Audited & { readonly email: string }, now: number) {
  const { database, issuer, userPool } = tools;
  const oldSubject = await begin(tools, email);
  await userPool.deleteUser(oldSubject);
  const newSubject = (await userPool.createUser(email)) ?? (await userPool.subjectOf(email));
  if (newSubject === undefined || newSubject === oldSubject) throw new Fault('a deleted user is still in the pool');
  const before = userOf(issuer, oldSubject);
  const after = userOf(issuer, newSubject);
  const practices = (await listMemberships(database, before.userId)).map(({ practiceId }) => practiceId);
  for (const practiceId of practices)
    await untilWritten('member', () => moveMember(tools, { practiceId, before, after, author }, now));
  await endMfaReset(database, email);
  return { email, practices };
}

/** Records the old subject before the user is deleted: afterward, the pool cannot tell whose memberships to move. */
async function begin(tools: Tools, email: string): Promise<string> {
  const { database, userPool } = tools;
  const begun = await oldSubjectOfReset(database, email);
  if (begun !== undefined) return begun;
  const subject = await userPool.subjectOf(email);
  if (subject === undefined) throw new Problem('user_not_found', `Nobody signs in as ${email}.`);
  return (await beginMfaReset(database, email, subject)) ? subject : begin(tools, email);
}

function userOf(issuer: string, subject: string): Pick<User, 'issuer' | 'subject' | 'userId'> {
  return { issuer, subject, userId: userIdOf({ issuer, subject }) };
}

interface Move extends Audited {
  readonly practiceId: string;
  readonly before: User;
  readonly after: User;
}

async function moveMember(
  { database, randomBytes }: Tools,
  { practiceId, before, after, author }: Move,
  now: number,
): Promise<true | undefined> {
  const member = await getMember(database, { practiceId, userId: before.userId });
  if (!member) return true;
  const entry = newAuditEntry(
    { randomBytes },
    { practiceId, author, action: 'member.mfa_reset', target: after.userId, details: { email: member.email } },
    now,
  );
  const refused = await transact(database, {
    before: removalPart(database, member),
    after: newMemberPart(database, { ...member, ...after }),
    audit: auditPart(database, entry),
  });
  return refused ? undefined : true;
}
