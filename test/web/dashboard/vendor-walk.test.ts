// @module-tag browser

import { expect, onTestFinished, test, vi } from 'vitest';
import { createPlatform } from '../../../functions/practices/platforms.ts';
import { addEndpoint } from '../../../functions/webhooks/webhook-endpoints.ts';
import { createPaymentClient } from '../../../web/client/index.ts';
import { dashboardUser } from '../../support/dashboard-user.ts';
import { startReceiver } from '../../support/receiver.ts';
import { patience } from '../../support/until.ts';
import { headingOf, useDashboardOnStack } from './on-stack.ts';

const on = useDashboardOnStack();

test('a vendor creates ten practices by API, one endpoint verifies the events of all, and one that leaves is gone at once', async () => {
  const { service } = on;
  const named = { author: { kind: 'operator' }, name: 'Harbor Software' } as const;
  const { platformId, apiKey } = await createPlatform(service.operated, named, Date.now());
  const authorization = `Bearer ${apiKey}`;
  const clientOf = (practiceId?: string) =>
    createPaymentClient({ apiUrl: service.apiUrl, apiKey, ...(practiceId !== undefined && { practiceId }) });
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const endpoint = { practiceId: platformId, author: named.author, url: receiver.url };
  receiver.secret = (await addEndpoint(service.operated, endpoint, Date.now())).signingSecret;
  const practices = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const { practiceId: created } = await clientOf().practices.create({ name: `Clinic ${index}` });
      expect((await clientOf().practices.get(created)).missing).toEqual([]);
      return created;
    }),
  );
  const pay = async (practice: string, { sessions, sandbox } = clientOf(practice)) => {
    const patient = { firstName: 'Ada', lastName: 'Okafor' };
    const { sessionId } = await sessions.create({ invoiceId: 'INV-1', amountCents: 18_250, patient });
    await vi.waitFor(async () => {
      // After a 503 from a busy machine, the payment may continue.
      if ((await sessions.get(sessionId)).status === 'pending') await sandbox.simulate(sessionId, 'user_good');
      expect((await sessions.get(sessionId)).status).toBe('succeeded');
    }, patience);
    return sessionId;
  };
  await Promise.all(
    practices.map(async (practice) => {
      const { event } = await receiver.waitFor('session.payment.succeeded', await pay(practice));
      expect(event.practiceId).toBe(practice);
    }),
  );
  const practiceId = practices[3] ?? '';
  const visitAs = async (owner: string, path: string) => {
    const page = await on.newPage();
    const [name = '', value = ''] = (await dashboardUser(service, { practiceId: owner, role: 'admin' })).cookie.split(
      '=',
    );
    await page.context().addCookies([{ name, value, url: service.dashboardUrl, httpOnly: true, sameSite: 'Lax' }]);
    await page.goto(service.dashboardUrl + path);
    return page;
  };
  const statusOfKey = async () =>
    (await fetch(`${service.apiUrl}/api/practice/sessions`, { headers: { authorization, 'practice-id': practiceId } }))
      .status;

  const vendor = await visitAs(platformId, `/${platformId}`);
  await vendor.getByRole('row').nth(10).waitFor();
  await vendor.getByRole('link', { name: 'Clinic 3' }).click();
  await headingOf(vendor, 'Home').waitFor();
  expect(await statusOfKey()).toBe(200);

  const owner = await visitAs(practiceId, `/${practiceId}/settings/practice`);
  await owner.getByRole('button', { name: 'End its access' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'End its access' }).click();
  await owner.getByText('Harbor Software can no longer act for Clinic 3.').waitFor();

  expect(await statusOfKey()).toBe(404);
  await expect(pay(practiceId)).rejects.toMatchObject({ code: 'practice_not_found' });
  await vendor.getByRole('link', { name: 'Team' }).click();
  await vendor.getByText('There is no such practice.').waitFor();
  await vendor.reload();
  await headingOf(vendor, 'There is no such page').waitFor();
  await vendor.goto(`${service.dashboardUrl}/${platformId}`);
  await vendor.getByRole('row').nth(9).waitFor();
  expect(await vendor.getByRole('link', { name: /^Clinic / }).count()).toBe(9);
});
