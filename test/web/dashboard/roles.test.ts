import { describe, expect, test } from 'vitest';
import { allows, roles, type Role } from '../../../functions/domain/team/member.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside } from './practice-data.ts';
import { paidSessionId } from './payment-data.ts';

const on = useDashboardInDom();

interface Screen {
  readonly path: string;
  readonly heading: string;
  /** What a role can do there, in addition to what lower ones can. */
  readonly actions: Partial<Record<Role, readonly string[]>>;
  readonly names?: true;
  /** An admin's remaining actions if they act for the practice as a member of its platform. */
  readonly forPlatform?: readonly string[];
}

const screens: Readonly<Record<string, Screen>> = {
  home: {
    path: '',
    heading: 'Home',
    actions: { staff: ['New payment link'], admin: ['Choose logo and color'] },
    names: true,
  },
  sessions: {
    path: '/sessions',
    heading: 'Payments',
    actions: { viewer: ['Export CSV', 'Print', 'Search'], staff: ['New payment link'] },
    names: true,
  },
  'a session': {
    path: '/sessions/ses_01KAGPENDING0000000000000',
    heading: 'Invoice INV-1051',
    actions: { viewer: ['Print'], staff: ['Cancel payment', 'Remind patient', 'Replace link'] },
    names: true,
  },
  'a paid session': {
    path: `/sessions/${paidSessionId}`,
    heading: 'Invoice INV-1043',
    actions: {
      viewer: ['Print'],
      staff: ['Replace the receipt link', 'Proof of authorization'],
      admin: ['Erase patient', 'Refund'],
    },
    names: true,
  },
  deliveries: { path: '/deliveries', heading: 'Webhook deliveries', actions: { viewer: ['Filter'] } },
  'a delivery': {
    path: '/deliveries/evt_01KAGFAILED00000000000000_2/whe_legacy',
    heading: 'Delivery',
    actions: { staff: ['Resend'] },
  },
  keys: {
    path: '/settings/keys',
    heading: 'API keys',
    actions: {
      admin: [
        'Create key',
        ...['Billing system', 'Reporting', 'Front desk tablet'].flatMap((key) => [`Rotate ${key}`, `Revoke ${key}`]),
      ],
    },
    forPlatform: [],
  },
  webhooks: { path: '/settings/webhooks', heading: 'Webhooks', actions: { admin: ['Add endpoint'] }, forPlatform: [] },
  'an endpoint': {
    path: '/settings/webhooks/whe_billing',
    heading: 'Webhook endpoint',
    actions: {
      staff: ['Replay'],
      admin: ['Move', 'Delete', 'Disable', 'Send test event', 'Change', 'Reveal', 'Rotate'],
    },
    forPlatform: ['Replay', 'Send test event'],
  },
  'the practice': {
    path: '/settings/practice',
    heading: 'Practice',
    actions: { viewer: ['Invoice', 'Receipt'], admin: ['Save'] },
  },
  'the test bank': {
    path: '/settings/test-bank',
    heading: 'Test bank',
    actions: { admin: ['New password'] },
  },
  team: {
    path: '/team',
    heading: 'Team',
    actions: { admin: ['Invite someone', 'Revoke the invitation of jo.park@lakeside.example'] },
    forPlatform: [],
  },
  'the audit log': { path: '/audit-log', heading: 'Audit log', actions: { viewer: ['Print'] } },
};

describe.each(roles)('to a user with the role %s', (role) => {
  test.each(Object.entries(screens))('%s offers what the role may do, and nothing more', async (_, screen) => {
    on.api.role = role;
    const practice = on.api.practices[lakeside]!;
    practice.home = { ...practice.home, checklist: { ...practice.home.checklist, branding: false } };
    await on.open(screen.path);
    await on.page.getByRole('heading', { level: 1, name: screen.heading, exact: true }).waitFor();
    const expected = roles.flatMap((each) => (allows(role, each) ? (screen.actions[each] ?? []) : []));
    await expect.poll(actions, soon).toEqual(expected.toSorted());
    const text = await on.page.locator('#content').innerText();
    expect(/Lopez|O’Neill/.test(text), "a patient's name").toBe(screen.names === true && role !== 'viewer');
  });
});

test.each(Object.entries(screens))(
  "%s offers an admin of the practice's platform what they may do for it",
  async (_, screen) => {
    on.api.joinHarbor({ acting: true });
    const practice = on.api.practices[lakeside]!;
    practice.home = { ...practice.home, checklist: { ...practice.home.checklist, branding: false } };
    await on.open(screen.path);
    await on.page.getByRole('heading', { level: 1, name: screen.heading, exact: true }).waitFor();
    const expected = screen.forPlatform ?? roles.flatMap((each) => screen.actions[each] ?? []);
    await expect.poll(actions, soon).toEqual(expected.toSorted());
  },
);

async function actions(): Promise<string[]> {
  const [content] = on.page.locator('#content').elements();
  // The preview of the payment page is in a shadow.
  const names = [...content!.querySelectorAll('button, a.button')].map(
    (element) => element.getAttribute('aria-label') ?? element.textContent,
  );
  // Every member has their own alerts, can filter on a phone, and can copy what is shown.
  return names.filter((name) => !/^(Copy|Change role|Remove|Dismiss|Filters|Load more)\b/.test(name)).toSorted();
}
