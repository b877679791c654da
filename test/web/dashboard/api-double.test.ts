import { beforeEach, describe, expect, test } from 'vitest';
import {
  dashboardRoutes as ofEveryStage,
  liveDashboardRoutes,
  sandboxDashboardRoutes,
} from '../../../functions/contract/routes.ts';
import { roles } from '../../../functions/domain/team/member.ts';
import type { RouteName } from './answers.ts';
import type { DashboardApiDouble } from './api-double.ts';
import { onDouble } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';

let api: DashboardApiDouble;
onDouble.beforeAll(({ api: shared }) => {
  api = shared;
});
beforeEach(() => api.reset());

const names: Record<string, string> = {
  sessionId: 'ses_01KAGPAID00000000000000000',
  eventId: 'evt_01KAGPAID00000000000000000_2',
  endpointId: 'whe_billing',
  payoutId: 'po_1TestPayout',
};
const dashboardRoutes = { ...ofEveryStage, ...liveDashboardRoutes, ...sandboxDashboardRoutes };
const reads = (Object.keys(dashboardRoutes) as RouteName[]).filter(
  (name) =>
    dashboardRoutes[name].method === 'GET' &&
    dashboardRoutes[name].status === 200 &&
    // This one is only about a platform.
    name !== 'listPlatformPractices',
);

function ask(name: RouteName, practiceId: string): Promise<Response> {
  const path = dashboardRoutes[name].path.replaceAll(
    /\{(\w+)\}/g,
    (_, part: string) => (part === 'practiceId' ? practiceId : names[part]) ?? '',
  );
  return fetch(api.url + path);
}

describe.each(roles)('to a %s', (role) => {
  test.each(reads)('%s answers by its contract', async (name) => {
    api.role = role;
    const { status } = await ask(name, lakeside);
    const refused = (name === 'getEvidence' && role === 'viewer') || (name === 'getDeposit' && role !== 'admin');
    expect(status).toBe(refused ? 403 : 200);
  });
});

test.each(reads.filter((name) => !/Session$|Delivery$|Evidence$/.test(name)))(
  'a new practice has an answer to %s',
  async (name) => {
    expect((await ask(name, maple)).status).toBe(200);
  },
);

test('a change without the header of the dashboard is refused', async () => {
  const { status } = await fetch(`${api.url}/api/dashboard/sign-out`, { method: 'POST', body: '{}' });
  expect(status).toBe(403);
});

test('pages of any depth get the document', async () => {
  const response = await fetch(`${api.url}/${lakeside}/settings/keys`);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).toContain('<!doctype html>');
});
