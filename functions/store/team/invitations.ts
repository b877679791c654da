import { invitation, type Invitation } from '../../domain/team/member.ts';
import { toEpochSeconds, toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, queryAll } from '../rows.ts';
import { deleteRow, putNew, type Part } from '../writes.ts';

export async function getInvitation(database: Database, invitationId: string): Promise<Invitation | undefined> {
  return get(database, 'invitations', { invitationId }, invitation);
}

/** Eventually consistent. */
export async function listInvitations(database: Database, practiceId: string): Promise<Invitation[]> {
  const key = expression`practiceId = ${practiceId}`;
  return queryAll(database, 'invitations', { index: 'byPractice', key }, invitation);
}

export function newInvitationPart(database: Database, created: Invitation): Part {
  const row = { ...created, timeToLive: toEpochSeconds(Date.parse(created.expiresAt)) };
  return putNew(database, 'invitations', row, 'invitationId');
}

/** Refused if it is used, revoked or expired. */
export function useInvitationPart(database: Database, { invitationId }: Invitation, now: number): Part {
  return deleteRow(database, 'invitations', { invitationId }, expression`expiresAt > ${toIso(now)}`);
}

/** Refused if the practice has no such invitation. */
export function revokeInvitationPart(database: Database, practiceId: string, invitationId: string): Part {
  return deleteRow(database, 'invitations', { invitationId }, expression`practiceId = ${practiceId}`);
}
