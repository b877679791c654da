import { expect, it } from 'vitest';
import { getMember } from '../../functions/store/team/members.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf } from '../support/tables.ts';

let service: TestPractice;
let practiceId = '';
let admin: DashboardUser;
onStack.beforeAll(async ({ own }) => {
  service = own;
  practiceId = own.practice.practiceId;
  admin = await dashboardUser(own, { practiceId, role: 'admin' });
});

async function invite(email: string): Promise<string> {
  const { status, body } = await admin.call('inviteMember', { practiceId }, { email, role: 'admin' });
  expect(status).toBe(201);
  return String(body['invitationId']);
}

async function openInvitations(email: string): Promise<unknown[]> {
  const { body } = await admin.call('getTeam', { practiceId });
  const invitations = body['invitations'] as { email: string; invitationId: string }[];
  return invitations.filter((each) => each.email === email).map(({ invitationId }) => invitationId);
}

it.each([
  ['gets a lower role', (userId: string) => admin.call('changeMember', { practiceId, userId }, { role: 'viewer' })],
  ['is removed', (userId: string) => admin.call('removeMember', { practiceId, userId }, {})],
] as const)('a member who %s cannot get the access back with an open invitation', async (_, change) => {
  const { userId } = await dashboardUser(service, { practiceId, role: 'staff' });
  const member = await getMember(databaseOf(service.stack), { practiceId, userId });
  const email = member?.email ?? expect.fail('the member has no address');
  const invitationId = await invite(email);
  await expect.poll(() => openInvitations(email)).toEqual([invitationId]);
  expect(await change(userId)).toMatchObject({ status: 200 });
  await expect.poll(() => openInvitations(email)).toEqual([]);
});

it('a second invitation to an address replaces the first', async () => {
  const email = 'twice@practice.example';
  const first = await invite(email);
  await expect.poll(() => openInvitations(email)).toEqual([first]);
  const second = await invite(email);
  await expect.poll(() => openInvitations(email)).toEqual([second]);
});
