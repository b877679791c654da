// @module-tag browser

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { allows, roles, type Role } from '../../../functions/domain/role.ts';
import { headingOf, useDashboardOnStack } from './on-stack.ts';

const on = useDashboardOnStack();
let sessionId: string;
let paidId: string;
beforeAll(async () => {
  ({ sessionId } = await on.service.createSession({ invoiceId: 'INV-1' }));
  ({ sessionId: paidId } = await on.service.pay('user_good', { invoiceId: 'INV-2' }));
  await on.service.receiver.waitFor('session.payment.succeeded', paidId);
});

interface Screen {
  readonly path: () => string;
  readonly heading: string;
  /** What a role can do there, beside what lower ones can. */
  readonly actions: Partial<Record<Role, readonly string[]>>;
  readonly names?: true;
}

const screens: Readonly<Record<string, Screen>> = {
  home: { path: () => '', heading: 'Home', actions: { staff: ['New payment link'], admin: ['Choose logo and color'] } },
  sessions: {
    path: () => '/sessions',
    heading: 'Sessions',
    actions: { viewer: ['Export CSV', 'Search'], staff: ['New payment link'] },
    names: true,
  },
  'a session': {
    path: () => `/sessions/${sessionId}`,
    heading: 'Invoice INV-1',
    actions: { staff: ['Cancel session', 'Replace link'] },
    names: true,
  },
  'a paid session': {
    path: () => `/sessions/${paidId}`,
    heading: 'Invoice INV-2',
    actions: { staff: ['Replace link', 'Proof of authorization'], admin: ['Erase patient'] },
    names: true,
  },
  deliveries: { path: () => '/deliveries', heading: 'Webhook deliveries', actions: { viewer: ['Filter'] } },
  'a delivery': {
    path: () => `/deliveries/evt_${paidId.slice('ses_'.length)}_1/${on.service.practice.endpointId}`,
    heading: 'Delivery',
    actions: { staff: ['Resend'] },
  },
  keys: {
    path: () => '/settings/keys',
    heading: 'API keys',
    actions: { admin: ['Create key', 'Rotate First key', 'Revoke First key'] },
  },
  webhooks: { path: () => '/settings/webhooks', heading: 'Webhooks', actions: { admin: ['Add endpoint'] } },
  'an endpoint': {
    path: () => `/settings/webhooks/${on.service.practice.endpointId}`,
    heading: 'Webhook endpoint',
    actions: {
      staff: ['Replay'],
      admin: ['Move', 'Delete', 'Disable', 'Send test event', 'Change', 'Reveal', 'Rotate'],
    },
  },
  'the practice': {
    path: () => '/settings/practice',
    heading: 'Practice',
    actions: { viewer: ['Invoice', 'Receipt'], admin: ['Save'] },
  },
  'the test bank': {
    path: () => '/settings/test-bank',
    heading: 'Test bank',
    actions: { admin: ['New password'] },
  },
  team: { path: () => '/team', heading: 'Team', actions: { admin: ['Invite someone'] } },
  'the audit log': { path: () => '/audit-log', heading: 'Audit log', actions: {} },
};

describe.each(roles)('a user with the role %s', (role) => {
  test('sees the screens with what the role may do, and nothing more', async () => {
    const page = await on.visitAs(role);
    for (const [name, screen] of Object.entries(screens)) {
      await on.visit(page, screen.path());
      await headingOf(page, screen.heading).waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 10_000 }).toBe(0);
      const expected = roles.flatMap((each) => (allows(role, each) ? (screen.actions[each] ?? []) : []));
      await expect.poll(() => actionsOn(page), { message: name, timeout: 10_000 }).toEqual(expected.toSorted());
      const text = await page.locator('#content').innerText();
      expect(text.includes('Okafor'), `a patient's name in ${name}`).toBe(screen.names === true && role !== 'viewer');
    }
  });
});

async function actionsOn(page: Page): Promise<string[]> {
  const actions = page.locator('#content').locator('button:visible, a.button:visible');
  const names = await actions.evaluateAll((elements) =>
    elements
      // Not those of the payment page's preview.
      .filter((element) => element.getRootNode() === document)
      .map((element) => element.getAttribute('aria-label') ?? element.textContent),
  );
  // Every member has their own alerts and can copy what is shown.
  return names.filter((name) => !/^(Copy|Change role|Remove)\b/.test(name)).toSorted();
}
