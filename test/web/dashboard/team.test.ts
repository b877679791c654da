import { describe, expect, test } from 'vitest';
import { auditActions } from '../../../functions/domain/team/audit-entry.ts';
import { auditWords } from '../../../web/dashboard/audit-words.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside } from './practice-data.ts';

const on = useDashboardInDom();

describe('an invitation', () => {
  test('that was not mailed is a link to copy, shown once', async () => {
    await on.open('/team');
    await on.button('Invite someone').click();
    await on.page.getByLabel('Email', { exact: true }).fill('li.wu@lakeside.example');
    await on.page.getByLabel('Viewer').check();
    await on.button('Invite').click();
    await on.page.getByText('https://dashboard.example/join#').waitFor();
    await on.page.getByText('Send this link to li.wu@lakeside.example yourself').waitFor();
    expect(on.callsOf('inviteMember')[0]?.body).toEqual({ email: 'li.wu@lakeside.example', role: 'viewer' });
    await on.page.getByRole('row', { name: /li\.wu/ }).waitFor();
    await on.open('/team');
    expect(await on.page.content()).not.toContain('/join#');
  });

  test('that was mailed shows no link', async () => {
    on.api.overrides.inviteMember = ({ body }) => ({
      ...body,
      invitationId: 'inv_1',
      expiresAt: '2026-11-27T15:00:00.000Z',
      invitationUrl: 'https://dashboard.example/join#secret',
      mailed: true,
      createsAccount: false,
    });
    await on.open('/team?invite=1');
    await on.page.getByLabel('Email', { exact: true }).fill('li.wu@lakeside.example');
    await on.button('Invite').click();
    await on.page.getByText('An email is on its way to li.wu@lakeside.example').waitFor();
    expect(await on.page.content()).not.toContain('join#secret');
  });

  test('needs an address', async () => {
    await on.open('/team?invite=1');
    await on.button('Invite').click();
    await on.page.locator('.field.with-error', { hasText: 'Enter an email address.' }).waitFor();
    // Its first 254 characters would be an address too.
    await on.page.getByLabel('Email', { exact: true }).fill(`li@${'wu.'.repeat(83)}example`);
    await on.button('Invite').click();
    await on.page.locator('.field.with-error', { hasText: 'Use at most 254 characters.' }).waitFor();
    expect(on.sent('inviteMember')).toEqual([]);
  });

  test('to a member is refused', async () => {
    await on.open('/team?invite=1');
    await on.page.getByLabel('Email', { exact: true }).fill('Sam.Lee@lakeside.example');
    await on.button('Invite').click();
    const problem = 'They are already a member. You can change their role in the list.';
    await on.page.locator('.field.with-error', { hasText: problem }).waitFor();
    expect(on.callsOf('inviteMember')).toEqual([]);
  });

  test('to somebody who has one is sent: it replaces the other', async () => {
    await on.open('/team?invite=1');
    await on.page.getByLabel('Email', { exact: true }).fill('Jo.Park@lakeside.example');
    await on.button('Invite').click();
    await expect.poll(() => on.sent('inviteMember')).toMatchObject([{ email: 'Jo.Park@lakeside.example' }]);
  });

  test('is revoked after a confirmation', async () => {
    await on.open('/team');
    await on.button('Revoke the invitation of jo.park@lakeside.example').click();
    await on.button('Revoke invitation').click();
    await on.page.getByText('jo.park@lakeside.example').first().waitFor({ state: 'detached' });
  });
});

describe('a member', () => {
  test('gets another role', async () => {
    await on.open('/team');
    await on.button('Change role of sam.lee@lakeside.example').click();
    await on.page.getByLabel('Admin', { exact: true }).check();
    await on.dialog().getByRole('button', { name: 'Change role' }).click();
    await on.page.getByRole('row', { name: /sam\.lee.*Admin/ }).waitFor();
  });

  test('an admin who lowers their own role sees at once what the new one allows', async () => {
    on.api.overrides.changeMember = () => {
      on.api.role = 'staff';
      return { userId: 'usr_you', role: 'staff' };
    };
    await on.open('/team?role=usr_you');
    await on.dialog().getByLabel('Staff').check();
    await on.dialog().getByRole('button', { name: 'Change role' }).click();
    await on.button('Invite someone').waitFor({ state: 'detached' });
    expect(await on.page.locator('.user').innerText()).toContain('Staff');
  });

  test('is removed after a confirmation', async () => {
    await on.open('/team');
    await on.button('Remove kim.oh@accounting.example').click();
    await on.dialog().getByText('They lose access to this practice at once.').waitFor();
    await on.button('Remove member').click();
    await on.page.getByRole('row', { name: /kim\.oh/ }).waitFor({ state: 'detached' });
  });

  test('who is the last admin has no such buttons', async () => {
    await on.open('/team');
    const you = on.page.getByRole('row', { name: /ana\.ruiz.*You/ });
    expect(await you.textContent()).toContain('The last admin must stay an admin');
    expect(await you.getByRole('button').count()).toBe(0);
  });

  test('who became the last admin in the meantime stays, and the dialog says why', async () => {
    on.api.overrides.removeMember = () => ({ code: 'last_admin' });
    await on.open('/team?remove=usr_sam');
    await on.button('Remove member').click();
    await on.dialog().getByText('A practice needs an admin.').waitFor();
  });
});

test('each choice of emails is saved at once, and taken back if that fails', async () => {
  await on.open('/team');
  const choice = (name: string) => on.page.getByLabel(name);
  expect(await choice('Payments that failed').isChecked()).toBe(true);
  await choice('A daily summary').check();
  await on.page.getByText('Your choice is saved.').waitFor();
  const mailTopics = ['payment_failed', 'payment_returned', 'daily_summary'];
  expect(on.callsOf('changeMailTopics')[0]?.body).toEqual({ mailTopics });
  on.api.overrides.changeMailTopics = () => 'hang_up';
  await choice('Payments that failed').click();
  await on.page.getByText('The dashboard did not answer.').waitFor();
  expect(await choice('Payments that failed').isChecked()).toBe(true);
  expect(await on.page.getByText('You get no emails').count()).toBe(0);
});

test('choices made while one is being saved are saved after it, all in one request', async () => {
  const stored = Promise.withResolvers<undefined>();
  on.api.overrides.changeMailTopics = () => stored.promise;
  await on.open('/team');
  await on.page.getByLabel('A daily summary').check();
  await expect.poll(() => on.callsOf('changeMailTopics').length, soon).toBe(1);
  await on.page.getByLabel('Payments that failed').uncheck();
  await on.page.getByLabel('Refunds that arrived').check();
  stored.resolve(undefined);
  const first = { mailTopics: ['payment_failed', 'payment_returned', 'daily_summary'] };
  const last = { mailTopics: ['payment_returned', 'payment_refunded', 'daily_summary'] };
  await expect.poll(() => on.sent('changeMailTopics').at(-1), soon).toEqual(last);
  expect(on.sent('changeMailTopics')).toEqual([first, last]);
  expect(await on.page.getByLabel('Refunds that arrived').isChecked()).toBe(true);
});

test('who gets no emails is told so beside the choice', async () => {
  on.api.practices[lakeside]!.team.yourMails = { topics: [], sent: false };
  await on.open('/team');
  await on.page.getByText('You get no emails').waitFor();
});

test('a viewer sees the team and may change only their own alerts', async () => {
  on.api.role = 'viewer';
  await on.open('/team?invite=1&remove=usr_sam');
  expect(await on.page.getByRole('row', { name: /sam\.lee/ }).count()).toBe(1);
  expect(await on.page.locator('#content section').getByRole('button').count()).toBe(0);
  expect(await on.dialog().count()).toBe(0);
});

describe('the audit log', () => {
  test('has words for every action, and loads more', async () => {
    await on.open('/audit-log');
    await on.button('Load more').click();
    await expect.poll(() => on.page.getByRole('row').count()).toBeGreaterThan(26);
    const words = (await on.page.getByRole('table').textContent()) ?? '';
    for (const action of auditActions) expect(words).toContain(auditWords[action]);
  });

  test('says who, from where and what exactly', async () => {
    await on.open('/audit-log');
    const moved = await on.page
      .getByRole('row', { name: /Moved a webhook endpoint/ })
      .first()
      .textContent();
    expect(moved).toContain('URL: https://billing.lakeside.example/webhooks/payments');
    await on.button('Load more').click();
    const what = (action: string) => on.page.getByRole('row', { name: action }).first();
    expect(await what('Chose what they get emails about').textContent()).toContain(
      'Emails about: Payments that failed; A daily summary',
    );
    expect(await what('Replaced a payment link').textContent()).toContain('Status: Paid');
    await what('Erased a patient').getByRole('link', { name: 'See the payment' }).waitFor();
    await what('Replaced a payment link').getByRole('link', { name: 'Invoice INV-1043' }).click();
    await on.expectHeading('Invoice INV-1043');
    await on.open('/audit-log');
    expect(
      await on.page
        .getByRole('row', { name: /ana\.ruiz/ })
        .first()
        .textContent(),
    ).toContain('198.51.100.24');
    expect(
      await on.page
        .getByRole('row', { name: /Service operator/ })
        .first()
        .textContent(),
    ).toContain('command');
  });
});

describe('the test bank', () => {
  test('lists what each user simulates, and replaces the password after a confirmation', async () => {
    await on.open('/settings/test-bank');
    await on.page.getByRole('row', { name: /user_late_return.*takes the money back later/ }).waitFor();
    await on.page.getByText('pine-otter-4821').waitFor();
    await on.button('New password').click();
    await on.dialog().getByText('The old password stops working right away').waitFor();
    await on.button('Issue new password').click();
    await on.page.getByText('maple-heron-9073').waitFor();
  });

  test('has the same password for viewers, who cannot replace it', async () => {
    on.api.role = 'viewer';
    await on.open('/settings/test-bank');
    await on.page.getByText('pine-otter-4821').waitFor();
    expect(await on.button('New password').count()).toBe(0);
  });
});
