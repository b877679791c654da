import { describe, expect, test } from 'vitest';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { lakeside, maple } from './practice-data.ts';

const on = useDashboardInDom();
const pathOf = () => new URL(on.page.url()).pathname;

describe('practices', () => {
  test('of several, the user chooses and switches', async () => {
    await on.open('');
    await on.visit('/');
    await on.link('Maple Street Clinic').click();
    await on.expectHeading('Home');
    expect(pathOf()).toBe(`/${maple}`);
    await on.link('Switch practice').click();
    await on.expectHeading('Choose a practice');
  });

  test('a single one opens at once', async () => {
    delete on.api.practices[maple];
    await on.visit('/');
    await on.link('Sign in').click();
    await on.expectHeading('Home');
    expect(pathOf()).toBe(`/${lakeside}`);
    expect(await on.link('Switch practice').count()).toBe(0);
  });

  test('of others look as if they did not exist', async () => {
    await on.visit('/prc_of_others/sessions');
    await on.expectHeading('There is no such page');
    expect(await on.page.getByRole('navigation').count()).toBe(0);
  });

  test('an invitation is accepted once the user agrees, and its token leaves the address', async () => {
    await on.visit('/join#fresh-token');
    expect(on.page.url()).toBe(`${on.api.url}/join`);
    expect(on.sent('acceptInvitation')).toEqual([]);
    await on.button('Accept invitation').click();
    await on.expectHeading('Home');
    expect(on.sent('acceptInvitation')).toEqual([{ token: 'fresh-token' }]);
    expect(await on.page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('an invitation that was used says so', async () => {
    await on.visit('/join#used');
    await on.button('Accept invitation').click();
    await on.expectText('This invitation no longer works.');
  });
});

describe('alerts', () => {
  const banner = () => on.page.getByText('1 payment was returned');

  test('are on every screen until somebody dismisses them', async () => {
    await on.open('/sessions');
    await banner().waitFor();
    await on.button('Dismiss').click();
    await banner().waitFor({ state: 'detached' });
    await on.visit(`/${lakeside}/sessions`);
    await on.requests.read('/alerts');
    expect(await banner().count()).toBe(0);
  });

  test('come back when there is something new', async () => {
    const [endpoint] = on.api.practices[lakeside]!.endpoints;
    await on.open('/sessions');
    await on.button('Dismiss').click();
    on.api.overrides.getAlerts = () => ({
      endpoints: [{ ...endpoint!, endpointId: 'whe_new', failingSince: endpoint!.createdAt }],
      failed: [],
      returned: [],
      refundFailed: [],
      linkRequests: [],
    });
    await on.visit(`/${lakeside}/sessions`);
    await on.expectText('1 connection to your software fails');
  });
});

test('every screen of a closed practice says so', async () => {
  on.api.practices[lakeside]!.settings.closedAt = '2026-11-20T15:00:00.000Z';
  await on.open('/sessions');
  await on.expectHeading('Payments');
  await on.expectText('This practice is closed');
});

test('every screen of a suspended practice says so', async () => {
  await on.open('/sessions');
  await on.expectHeading('Payments');
  const told = on.page.getByText('New payments are suspended');
  expect(await told.count()).toBe(0);
  on.api.practices[lakeside]!.settings.suspendedAt = '2026-11-20T15:00:00.000Z';
  await on.visit(`/${lakeside}`);
  for (const screen of ['Home', 'Payments', 'API keys']) {
    await on.link(screen).click();
    await on.expectHeading(screen);
    await told.waitFor();
  }
});

test.each(['nowhere', 'sessions/%E0%A4%A'])('an unknown page, %s, keeps the navigation', async (path) => {
  await on.open(`/${path}`);
  await on.expectHeading('There is no such page');
  await on.link('Payments').waitFor();
});

test('an answer that never comes can be asked for again', async () => {
  on.api.overrides.getSettings = () => 'hang_up';
  await on.visit(`/${lakeside}`);
  await on.page.getByRole('alert').getByText('The dashboard did not answer.').waitFor();
  on.api.overrides = {};
  await on.button('Try again').click();
  await on.expectHeading('Home');
});
