import * as z from 'zod/mini';
import { member, type MailTopic, type Member, type Role } from '../../domain/team/member.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, queryAll, insert, remove } from '../rows.ts';
import { change, check, deleteRow, putNew, type Part } from '../writes.ts';

export type MemberKey = Pick<Member, 'practiceId' | 'userId'>;

function keyOf({ practiceId, userId }: MemberKey): MemberKey {
  return { practiceId, userId };
}

/** Strongly consistent: a removal takes effect on the next request. */
export async function getMember(database: Database, key: MemberKey): Promise<Member | undefined> {
  return get(database, 'members', keyOf(key), member);
}

export async function listMembers(database: Database, practiceId: string): Promise<Member[]> {
  return queryAll(database, 'members', { key: expression`practiceId = ${practiceId}` }, member);
}

/** Eventually consistent. */
export async function listMemberships(database: Database, userId: string): Promise<Member[]> {
  return queryAll(database, 'members', { index: 'byUser', key: expression`userId = ${userId}` }, member);
}

/** Refused if there is no such member. */
export function mailTopicsPart(database: Database, key: MemberKey, mailTopics: readonly MailTopic[]): Part {
  const changed = { set: { mailTopics }, condition: expression`attribute_exists(userId)` };
  return change(database, 'members', keyOf(key), changed);
}

export function newMemberPart(database: Database, added: Member): Part {
  return putNew(database, 'members', added, 'userId');
}

/** Refused if the role has changed since it was read. */
export function rolePart(database: Database, asRead: Member, role: Role): Part {
  const changed = { set: { role }, condition: expression`role = ${asRead.role}` };
  return change(database, 'members', keyOf(asRead), changed);
}

/** Refused if the role has changed since it was read. */
export function removalPart(database: Database, asRead: Member): Part {
  return deleteRow(database, 'members', keyOf(asRead), expression`role = ${asRead.role}`);
}

/** Refused if the member is not an admin. */
export function stillAdminPart(database: Database, key: MemberKey): Part {
  return check(database, 'members', keyOf(key), expression`role = ${'admin'}`);
}

/** Resets are stored in the members table, under an ID that no practice has. */
const resets = 'mfa_reset';
const mfaReset = z.object({ userId: z.string(), oldSubject: z.string() });

function resetKeyOf(email: string) {
  return { practiceId: resets, userId: email.toLowerCase() };
}

/** The old subject of a reset in progress. */
export async function oldSubjectOfReset(database: Database, email: string): Promise<string | undefined> {
  return (await get(database, 'members', resetKeyOf(email), mfaReset))?.oldSubject;
}

/** False if another reset has begun. */
export async function beginMfaReset(database: Database, email: string, oldSubject: string): Promise<boolean> {
  return insert(database, 'members', { ...resetKeyOf(email), oldSubject }, 'userId');
}

export async function endMfaReset(database: Database, email: string): Promise<void> {
  await remove(database, 'members', resetKeyOf(email));
}
