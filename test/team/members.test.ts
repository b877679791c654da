import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { changeMailTopics, changeRole, removeMember } from '../../functions/team/members.ts';
import { getTeam } from '../../functions/team/team.ts';
import type { Member } from '../../functions/domain/team/member.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { replace } from '../../functions/store/rows.ts';
import { getMember, listMembers } from '../../functions/store/team/members.ts';
import { addMember, authorOf } from '../support/dashboard.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const tools = { database, randomBytes };
const operator = { kind: 'operator' } as const;

const aPracticeId = () => `prc_${randomBytes(6).toString('hex')}`;
const rename = (author: Member, { practiceId, userId }: Member, role: Member['role']) =>
  changeRole(tools, { practiceId, userId, author: authorOf(author), role }, Date.now());
const remove = (author: Member, { practiceId, userId }: Member) =>
  removeMember(tools, { practiceId, userId, author: authorOf(author) }, Date.now());
const entriesOf = async (practiceId: string) => (await listAuditLog(database, practiceId, { limit: 10 })).entries;
const adminsOf = async (practiceId: string) =>
  (await listMembers(database, practiceId)).filter(({ role }) => role === 'admin');

async function aTeam() {
  const practiceId = aPracticeId();
  return {
    practiceId,
    ada: await addMember(database, practiceId, 'admin'),
    bob: await addMember(database, practiceId, 'admin'),
    vera: await addMember(database, practiceId, 'viewer'),
  };
}

describe('an admin', () => {
  test("changes a member's role, and the audit log has the old and the new one", async () => {
    const { ada, vera, practiceId } = await aTeam();
    expect(await rename(ada, vera, 'staff')).toEqual({ userId: vera.userId, role: 'staff' });
    expect((await getMember(database, vera))?.role).toBe('staff');
    expect(await entriesOf(practiceId)).toMatchObject([
      {
        action: 'member.role_changed',
        author: authorOf(ada),
        target: vera.userId,
        details: { from: 'viewer', to: 'staff', email: vera.email },
      },
    ]);
  });

  test('changes nothing by giving the same role', async () => {
    const { ada, vera, practiceId } = await aTeam();
    await rename(ada, vera, 'viewer');
    expect(await entriesOf(practiceId)).toEqual([]);
  });

  test('removes a member', async () => {
    const { ada, vera, practiceId } = await aTeam();
    await remove(ada, vera);
    expect(await getMember(database, vera)).toBeUndefined();
    expect(await entriesOf(practiceId)).toMatchObject([{ action: 'member.removed', target: vera.userId }]);
    expect(await problemOf(remove(ada, vera))).toMatchObject({ code: 'member_not_found' });
  });

  test('may step down while another is left', async () => {
    const { ada, bob } = await aTeam();
    await rename(ada, ada, 'viewer');
    expect(await problemOf(rename(bob, bob, 'staff'))).toMatchObject({ code: 'last_admin' });
    expect(await problemOf(remove(bob, bob))).toMatchObject({ code: 'last_admin' });
    expect((await getMember(database, bob))?.role).toBe('admin');
  });

  test('of another practice finds no such member', async () => {
    const { ada } = await aTeam();
    const { vera } = await aTeam();
    const { practiceId } = ada;
    const nobody = { ...vera, practiceId, userId: 'x'.repeat(3000) };
    expect(await problemOf(remove(ada, nobody))).toMatchObject({ code: 'member_not_found' });
    expect(await problemOf(remove(ada, { ...vera, practiceId }))).toMatchObject({ code: 'member_not_found' });
    expect(await getMember(database, vera)).toBeDefined();
  });

  test('who was removed during the request changes nothing', async () => {
    const { ada, bob, vera } = await aTeam();
    await remove(ada, bob);
    expect(await problemOf(rename(bob, vera, 'admin'))).toMatchObject({ code: 'role_too_low' });
    expect((await getMember(database, vera))?.role).toBe('viewer');
  });
});

describe('a practice keeps an admin', () => {
  test('if the operator removes members', async () => {
    const { ada, bob, practiceId } = await aTeam();
    await removeMember(tools, { ...ada, author: operator }, Date.now());
    expect(await problemOf(removeMember(tools, { ...bob, author: operator }, Date.now()))).toMatchObject({
      code: 'last_admin',
    });
    expect(await adminsOf(practiceId)).toHaveLength(1);
  });

  test.each<[string, (ada: Member, bob: Member) => Promise<unknown>[]]>([
    ['remove each other', (ada, bob) => [remove(ada, bob), remove(bob, ada)]],
    ['demote each other', (ada, bob) => [rename(ada, bob, 'staff'), rename(bob, ada, 'viewer')]],
    ['step down', (ada, bob) => [rename(ada, ada, 'staff'), rename(bob, bob, 'staff')]],
    ['leave', (ada, bob) => [remove(ada, ada), remove(bob, bob)]],
    ['leave and demote the other', (ada, bob) => [remove(ada, ada), rename(ada, bob, 'viewer')]],
  ])('if two admins at once %s', async (_, race) => {
    for (let round = 0; round < 10; round++) {
      const { ada, bob, practiceId } = await aTeam();
      const outcomes = await Promise.allSettled(race(ada, bob));
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(1);
      expect(await adminsOf(practiceId)).toHaveLength(1);
      expect(await entriesOf(practiceId)).toHaveLength(1);
    }
  });

  test('if three remove each other in a circle', async () => {
    for (let round = 0; round < 10; round++) {
      const { ada, bob, practiceId } = await aTeam();
      const cleo = await addMember(database, practiceId, 'admin');
      await Promise.allSettled([remove(ada, bob), remove(bob, cleo), remove(cleo, ada)]);
      expect((await adminsOf(practiceId)).length).toBeGreaterThan(0);
    }
  });
});

test('two changes of one role at once tell the whole story', async () => {
  const { ada, bob, vera, practiceId } = await aTeam();
  await Promise.all([rename(ada, vera, 'staff'), rename(bob, vera, 'admin')]);
  const { role } = (await getMember(database, vera)) ?? {};
  const before = role === 'admin' ? 'staff' : 'admin';
  const changes = (await entriesOf(practiceId)).map(({ details }) => `${details?.['from']} to ${details?.['to']}`);
  expect(changes.sort()).toEqual([`viewer to ${before}`, `${before} to ${role}`].sort());
});

test('a member chooses what to get emails about, and the audit log says so', async () => {
  const { vera, practiceId } = await aTeam();
  const topics = async () => (await getTeam(tools, vera, Date.now())).yourMails.topics;
  expect(await topics()).toEqual([]);
  const choose = (userId: string) =>
    changeMailTopics(
      tools,
      { practiceId, userId, author: authorOf(vera), mailTopics: ['payment_failed', 'daily_summary'] },
      Date.now(),
    );
  await choose(vera.userId);
  expect(await topics()).toEqual(['payment_failed', 'daily_summary']);
  await expect(choose('usr_none')).rejects.toMatchObject({ code: 'member_not_found' });
  const details = { mails: 'payment_failed daily_summary' };
  expect(await entriesOf(practiceId)).toMatchObject([
    { action: 'member.alerts_changed', author: authorOf(vera), target: vera.userId, details },
  ]);
});

test('the team says whether emails reach the caller: not without an address, or where none are sent', async () => {
  const { vera } = await aTeam();
  const sent = async (sending: object) => (await getTeam({ ...tools, ...sending }, vera, Date.now())).yourMails.sent;
  const sendMail = async () => {};
  expect(await sent({})).toBe(false);
  expect(await sent({ sendMail })).toBe(true);
  const { email: _, ...unreachable } = vera;
  await replace(database, 'members', unreachable);
  expect(await sent({ sendMail })).toBe(false);
});

test('the team lists its members and marks the caller', async () => {
  const { ada, bob, vera, practiceId } = await aTeam();
  const { members } = await getTeam(tools, { practiceId, userId: bob.userId }, Date.now());
  expect(members.map(({ userId }) => userId).sort()).toEqual([ada, bob, vera].map(({ userId }) => userId).sort());
  expect(members.filter(({ isYou }) => isYou)).toEqual([
    { userId: bob.userId, email: bob.email, role: 'admin', createdAt: bob.createdAt, isYou: true },
  ]);
});
