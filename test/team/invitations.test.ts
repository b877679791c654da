import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { acceptInvitation } from '../../functions/team/accept-invitation.ts';
import { inviteMember, revokeInvitation } from '../../functions/team/invitations.ts';
import { changeRole, removeMember } from '../../functions/team/members.ts';
import { getTeam } from '../../functions/team/team.ts';
import type { Author } from '../../functions/domain/team/audit-entry.ts';
import type { Member, Role, User } from '../../functions/domain/team/member.ts';
import { day, second, toIso } from '../../functions/domain/time.ts';
import { leavePlatform } from '../../functions/practices/platforms.ts';
import type { Mail } from '../../functions/messages/team/mail.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getMember } from '../../functions/store/team/members.ts';
import { insert } from '../../functions/store/rows.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { addMember, aUser, authorOf } from '../support/dashboard.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice } from '../support/examples.ts';

const { database } = await startTestTables();
const dashboardUrl = 'https://dashboard.example';
const tools = { database, randomBytes, dashboardUrl };
const { practiceId } = aPractice();
const gone = { code: 'invitation_not_found' };
const now = Date.now();

const anotherPracticeId = () => `prc_${randomBytes(6).toString('hex')}`;

let ada: Member;
beforeAll(async () => {
  await insert(database, 'practices', aPractice(), 'practiceId');
  ada = await addMember(database, practiceId, 'admin');
});

const invite = (role: Role = 'staff', author: Author = authorOf(ada), differences = {}) =>
  inviteMember({ ...tools, ...differences }, { practiceId, author, email: 'new@lakeside.example', role }, now);
const accept = ({ invitationUrl }: { invitationUrl: string }, user: User, at = now) =>
  acceptInvitation(tools, { token: new URL(invitationUrl).hash.slice(1), user, author: authorOf(user) }, at);
const entriesOf = async (target: string) =>
  (await listAuditLog(database, practiceId, { limit: 100 })).entries.filter((entry) => entry.target === target);
const pending = async () => (await getTeam(tools, ada, now)).invitations;

describe('an invitation', () => {
  test('is a link whose secret is in no table', async () => {
    const { invitationUrl, expiresAt, invitationId } = await invite();
    expect(invitationUrl).toMatch(/^https:\/\/dashboard\.example\/join#[\w-]{43}$/);
    expect(Date.parse(expiresAt) - now).toBe(7 * day);
    expect(invitationUrl).not.toContain(invitationId);
    expect(await pending()).toContainEqual(
      expect.objectContaining({ invitationId, email: 'new@lakeside.example', role: 'staff', createdBy: ada.email }),
    );
  });

  test('makes whoever accepts it a member, by issuer and subject', async () => {
    const bob = aUser('bob');
    expect(await accept(await invite(), bob)).toEqual({ practiceId, role: 'staff' });
    const { userId, issuer, subject } = bob;
    expect(await getMember(database, { practiceId, userId })).toMatchObject({ issuer, subject, role: 'staff' });
    expect(await entriesOf(userId)).toMatchObject([
      {
        action: 'member.added',
        author: authorOf(bob),
        details: { invited: 'new@lakeside.example', role: 'staff', email: bob.email },
      },
    ]);
  });

  test('works once, for one user', async () => {
    const invitation = await invite();
    const [bob, eve] = [aUser('bob'), aUser('eve')];
    await accept(invitation, bob);
    expect(await problemOf(accept(invitation, eve))).toMatchObject(gone);
    expect(await problemOf(accept(invitation, bob))).toMatchObject(gone);
    expect(await getMember(database, { practiceId, userId: eve.userId })).toBeUndefined();
  });

  test('works once if two accept it together', async () => {
    const invitation = await invite();
    const users = [aUser('bob'), aUser('eve')];
    const outcomes = await Promise.allSettled(users.map((user) => accept(invitation, user)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const members = await Promise.all(users.map(({ userId }) => getMember(database, { practiceId, userId })));
    expect(members.filter(Boolean)).toHaveLength(1);
  });

  test('does not let a removed member back in', async () => {
    const [invitation, bob] = [await invite(), aUser('bob')];
    await accept(invitation, bob);
    await removeMember(tools, { practiceId, userId: bob.userId, author: authorOf(ada) }, now);
    expect(await problemOf(accept(invitation, bob))).toMatchObject(gone);
  });

  test('works for 7 days', async () => {
    expect(await accept(await invite(), aUser('bob'), now + 7 * day - second)).toMatchObject({ practiceId });
    const other = await invite();
    expect(await problemOf(accept(other, aUser('eve'), now + 7 * day))).toMatchObject(gone);
  });

  test('ends when it is revoked', async () => {
    const invitation = await invite();
    const { invitationId } = invitation;
    const revoke = () => revokeInvitation(tools, { practiceId, author: authorOf(ada), invitationId }, now);
    expect(await revoke()).toEqual({ invitationId });
    expect((await entriesOf(invitationId)).map(({ action }) => action).sort()).toEqual([
      'invitation.created',
      'invitation.revoked',
    ]);
    expect(await problemOf(accept(invitation, aUser('bob')))).toMatchObject(gone);
    expect(await problemOf(revoke())).toMatchObject(gone);
    expect((await pending()).map((each) => each.invitationId)).not.toContain(invitationId);
  });

  test('ends when the same address is invited again, so that no second link outlives a revocation', async () => {
    const first = await invite('admin');
    const second = await invite('viewer');
    expect(await problemOf(accept(first, aUser('bob')))).toMatchObject(gone);
    const actions = (await entriesOf(first.invitationId)).map(({ action }) => action);
    expect(actions.sort()).toEqual(['invitation.created', 'invitation.revoked']);
    expect(await accept(second, aUser('bob'))).toMatchObject({ role: 'viewer' });
  });

  test('of another practice cannot be revoked', async () => {
    const invitation = await invite();
    const foreign = await addMember(database, 'prc_other', 'admin');
    const input = { practiceId: 'prc_other', author: authorOf(foreign), invitationId: invitation.invitationId };
    expect(await problemOf(revokeInvitation(tools, input, now))).toMatchObject(gone);
    const none = { practiceId, author: authorOf(ada), invitationId: 'x'.repeat(3000) };
    expect(await problemOf(revokeInvitation(tools, none, now))).toMatchObject(gone);
    expect(await accept(invitation, aUser('bob'))).toMatchObject({ practiceId });
  });

  test('ends when whoever sent it is no longer an admin', async () => {
    const eve = await addMember(database, practiceId, 'admin');
    const invitation = await invite('admin', authorOf(eve));
    await changeRole(tools, { ...eve, author: authorOf(ada), role: 'viewer' }, now);
    expect(await problemOf(accept(invitation, aUser('accomplice')))).toMatchObject(gone);
    expect(await problemOf(accept(invitation, eve))).toMatchObject(gone);
    expect((await pending()).map((each) => each.invitationId)).not.toContain(invitation.invitationId);
    expect(await problemOf(invite('admin', authorOf(eve)))).toMatchObject({ code: 'role_too_low' });
  });

  test('ends while its own sender, who is losing the admin role, opens it', async () => {
    const eve = await addMember(database, practiceId, 'admin');
    const { invitationUrl } = await invite('admin', authorOf(eve));
    let reads = 0;
    const watched = beforeEachCall(database, async ({ operation }) => {
      if (operation === 'GetItem') reads += 1;
      // The invitation, the sender, and now the member.
      if (reads === 3) await changeRole(tools, { ...eve, author: authorOf(ada), role: 'viewer' }, now);
    });
    const input = { token: new URL(invitationUrl).hash.slice(1), user: eve, author: authorOf(eve) };
    expect(await problemOf(acceptInvitation({ ...tools, database: watched }, input, now))).toMatchObject(gone);
    expect((await getMember(database, eve))?.role).toBe('viewer');
  });

  test('with an unknown token does not exist', async () => {
    expect(await problemOf(accept({ invitationUrl: `${dashboardUrl}/join#abc` }, aUser('bob')))).toMatchObject(gone);
  });
});

describe('a member who accepts an invitation', () => {
  test('to a higher role gets it', async () => {
    const vera = await addMember(database, practiceId, 'viewer');
    expect(await accept(await invite('admin'), vera)).toEqual({ practiceId, role: 'admin' });
    expect((await getMember(database, vera))?.role).toBe('admin');
    expect(await entriesOf(vera.userId)).toMatchObject([{ action: 'member.role_changed' }]);
  });

  test('to a lower role keeps the higher one, and the invitation stays open', async () => {
    const invitation = await invite('viewer');
    expect(await accept(invitation, ada)).toEqual({ practiceId, role: 'admin' });
    expect(await accept(invitation, aUser('bob'))).toEqual({ practiceId, role: 'viewer' });
  });
});

describe('a member who is removed or gets a lower role', () => {
  const invited = async (email: string) => (await pending()).filter((each) => each.email === email);

  test.each([
    ['removed', (bob: Member) => removeMember(tools, { ...bob, author: authorOf(ada) }, now + second), 0],
    ['lower', (bob: Member) => changeRole(tools, { ...bob, role: 'viewer', author: authorOf(ada) }, now + second), 0],
    ['higher', (bob: Member) => changeRole(tools, { ...bob, role: 'admin', author: authorOf(ada) }, now + second), 1],
  ] as const)('cannot come back by an open invitation of the same address: %s', async (_, change, left) => {
    const email = `Bob-${randomBytes(4).toString('hex')}@lakeside.example`;
    const bob = await addMember(database, practiceId, 'staff', { ...aUser('bob'), email: email.toLowerCase() });
    const other = await inviteMember(
      tools,
      { practiceId, author: authorOf(ada), email: `x${email}`, role: 'admin' },
      now,
    );
    const own = await inviteMember(tools, { practiceId, author: authorOf(ada), email, role: 'admin' }, now);
    await change(bob);
    expect(await invited(email)).toHaveLength(left);
    expect(await invited(`x${email}`)).toHaveLength(1);
    expect(await entriesOf(other.invitationId)).toHaveLength(1);
    const revoked = { action: 'invitation.revoked', author: authorOf(ada), details: { email, role: 'admin' } };
    expect(await entriesOf(own.invitationId)).toMatchObject(
      left === 0 ? [revoked, { action: 'invitation.created' }] : [{ action: 'invitation.created' }],
    );
    if (left === 0) expect(await problemOf(accept(own, bob))).toMatchObject(gone);
  });

  test('has all of them revoked, however many there are', async () => {
    const many = anotherPracticeId();
    const boss = await addMember(database, many, 'admin');
    const bob = await addMember(database, many, 'staff');
    const [author, email] = [authorOf(boss), bob.email ?? ''];
    const times = { createdAt: new Date(now).toISOString(), expiresAt: new Date(now + day).toISOString() };
    for (let index = 0; index < 60; index += 1) {
      const invitationId = `${many}-${index}`;
      const row = { invitationId, practiceId: many, email, role: 'staff', createdBy: author, ...times };
      await insert(database, 'invitations', row, 'invitationId');
    }
    await removeMember(tools, { practiceId: many, userId: bob.userId, author }, now);
    expect((await getTeam(tools, boss, now)).invitations).toEqual([]);
    const { entries } = await listAuditLog(database, many, { limit: 100 });
    expect(entries.filter(({ action }) => action === 'invitation.revoked')).toHaveLength(60);
  });
});

describe('who invites', () => {
  test('gets the link if no email is sent', async () => {
    expect(await invite()).toMatchObject({ mailed: false, createsAccount: false });
  });

  test('has it emailed and an account created, if the stack does both', async () => {
    const [mails, created]: [Mail[], string[]] = [[], []];
    const answer = await invite('staff', authorOf(ada), {
      sendMail: async (mail: Mail) => void mails.push(mail),
      userPool: { createUser: async (email: string) => String(created.push(email)) },
    });
    expect(answer).toMatchObject({ mailed: true, createsAccount: true });
    expect(created).toEqual(['new@lakeside.example']);
    expect(mails).toEqual([
      { to: 'new@lakeside.example', subject: 'Join Lakeside Family Practice', text: expect.any(String) as string },
    ]);
    expect(mails[0]?.text).toContain(answer.invitationUrl);
    expect(mails[0]?.text).toContain(ada.email);
  });

  test('cannot forge a line of the email with their own address', async () => {
    const mails: Mail[] = [];
    const forger = { ...authorOf(ada), email: 'ada@lakeside.example\n\nhttps://phish.example' } as const;
    await invite('staff', forger, { sendMail: async (mail: Mail) => void mails.push(mail) });
    expect(mails[0]?.text).toMatch(/^ada@lakeside\.example\ufffdhttps:\/\/phish\.example invites you /);
  });

  test('still gets the link if the email is refused', async () => {
    const refuse = async () => Promise.reject(new Error('refused'));
    expect(await invite('staff', authorOf(ada), { sendMail: refuse })).toMatchObject({ mailed: false });
  });

  test('learns what is wrong with the address or role', async () => {
    const wrong = { practiceId, author: authorOf(ada), email: 'nobody', role: 'owner' };
    expect((await problemOf(inviteMember(tools, wrong, now))).extra).toMatchObject({
      errors: [{ pointer: '/email' }, { pointer: '/role' }],
    });
  });

  test('may be the operator, but only into a practice that exists', async () => {
    const operator = { kind: 'operator' } as const;
    expect(await accept(await invite('admin', operator), aUser('first'))).toEqual({ practiceId, role: 'admin' });
    const nowhere = { practiceId: 'prc_nowhere', author: operator, email: 'a@b.example', role: 'admin' };
    expect(await problemOf(inviteMember(tools, nowhere, now))).toMatchObject({ code: 'practice_not_found' });
  });
});

describe("a platform's invitation to a practice of its own", () => {
  const platformId = 'plt_harbor';

  async function servedPractice() {
    const served = anotherPracticeId();
    await insert(
      database,
      'practices',
      aPractice({ practiceId: served, platformId, platformSince: toIso(now) }),
      'practiceId',
    );
    const vendor = await addMember(database, platformId, 'admin');
    const author: Author = {
      kind: 'user',
      userId: vendor.userId,
      email: vendor.email,
      address: '192.0.2.1',
      platformId,
    };
    const brings = () =>
      inviteMember(tools, { practiceId: served, author, email: 'owner@lakeside.example', role: 'admin' }, now);
    return { served, vendor, author, brings };
  }

  test('invites the first admin, who then decides who else joins', async () => {
    const { served, author, brings } = await servedPractice();
    const staff = { practiceId: served, author, email: 'vendor@harbor.example', role: 'staff' } as const;
    expect(await problemOf(inviteMember(tools, staff, now))).toMatchObject({ code: 'own_members_only' });
    const [first, second] = [await brings(), await brings()];
    expect(await problemOf(accept(first, aUser('late')))).toMatchObject(gone);
    const owner = aUser('owner');
    expect(await accept(second, owner)).toEqual({ practiceId: served, role: 'admin' });
    expect(await problemOf(brings())).toMatchObject({ code: 'own_members_only' });
    const revoking = revokeInvitation(tools, { practiceId: served, author, invitationId: second.invitationId }, now);
    expect(await problemOf(revoking)).toMatchObject({ code: 'own_members_only' });
  });

  test('does not work for the one who sent it, or once the practice has an admin or has left', async () => {
    const { vendor, brings } = await servedPractice();
    expect(await problemOf(accept(await brings(), vendor))).toMatchObject(gone);

    const ruled = await servedPractice();
    const sent = await ruled.brings();
    await addMember(database, ruled.served, 'admin');
    expect(await problemOf(accept(sent, aUser('bob')))).toMatchObject(gone);

    const left = await servedPractice();
    const late = await left.brings();
    await leavePlatform({ ...tools, mode: 'sandbox' }, { practiceId: left.served, author: left.author }, now);
    expect(await problemOf(accept(late, aUser('bob')))).toMatchObject(gone);
  });

  test('does not work once the sender is no longer an admin of the platform', async () => {
    const { vendor, brings } = await servedPractice();
    const sent = await brings();
    await addMember(database, platformId, 'admin');
    await changeRole(tools, { ...vendor, author: { kind: 'operator' }, role: 'staff' }, now);
    expect(await problemOf(accept(sent, aUser('bob')))).toMatchObject(gone);
  });
});
