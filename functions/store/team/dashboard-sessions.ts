import * as z from 'zod/mini';
import {
  dashboardSession,
  longestSession,
  type DashboardSession,
  signIn,
  signInLifetime,
  type SignIn,
} from '../../domain/team/sign-in.ts';
import { Fault } from '../../domain/fault.ts';
import { toEpochSeconds } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, insert, queryAll, remove, update, removeIf } from '../rows.ts';

export async function insertDashboardSession(database: Database, opened: DashboardSession): Promise<void> {
  const row = { ...opened, timeToLive: toEpochSeconds(Date.parse(opened.createdAt) + longestSession) };
  if (!(await insert(database, 'dashboardSessions', row, 'dashboardSessionId')))
    throw new Fault('a new session id was already taken');
}

/** Strongly consistent: signing out takes effect on the next request. */
export async function getDashboardSession(database: Database, dashboardSessionId: string) {
  return get(database, 'dashboardSessions', { dashboardSessionId }, dashboardSession);
}

/** Does not bring back a session that has ended. */
export async function touchDashboardSession(
  database: Database,
  { dashboardSessionId, lastSeenAt: asRead }: DashboardSession,
  lastSeenAt: string,
): Promise<void> {
  const touched = { set: { lastSeenAt }, condition: expression`lastSeenAt = ${asRead}` };
  await update(database, 'dashboardSessions', { dashboardSessionId }, touched, dashboardSession);
}

export async function deleteDashboardSession(database: Database, dashboardSessionId: string): Promise<void> {
  await remove(database, 'dashboardSessions', { dashboardSessionId });
}

const keyOnly = z.pick(dashboardSession, { dashboardSessionId: true });

/** Can miss a session that was just opened: the index is eventually consistent. */
export async function deleteDashboardSessionsOf(database: Database, userId: string): Promise<void> {
  const key = expression`userId = ${userId}`;
  const found = await queryAll(database, 'dashboardSessions', { index: 'byUser', key }, keyOnly);
  await Promise.all(found.map(({ dashboardSessionId }) => deleteDashboardSession(database, dashboardSessionId)));
}

export async function insertSignIn(database: Database, begun: SignIn): Promise<void> {
  const row = { ...begun, timeToLive: toEpochSeconds(Date.parse(begun.createdAt) + signInLifetime) };
  if (!(await insert(database, 'signIns', row, 'signInId'))) throw new Fault('a new sign-in id was already taken');
}

/** Deletes a sign-in and returns it, so it works once. A wrong state leaves the row alone: it belongs to another tab. */
export async function deleteSignIn(
  database: Database,
  { signInId, state }: Pick<SignIn, 'signInId' | 'state'>,
): Promise<SignIn | undefined> {
  return removeIf(database, 'signIns', { signInId }, expression`state = ${state}`, signIn);
}
