// @module-tag browser

import { describe, expect, onTestFinished, test } from 'vitest';
import { phone } from '../journey.ts';
import { soon, useDashboardOnDouble } from './dashboard-on-double.ts';
import { fillName, fillPaymentLink } from './payment-link-form.ts';
import { lakeside } from './practice-data.ts';

const on = useDashboardOnDouble();
const developers = ['API keys', 'Webhooks', 'Webhook deliveries', 'Docs'];
const pathOf = () => new URL(on.page.url()).pathname + new URL(on.page.url()).search;
const focused = () => on.page.evaluate(() => document.activeElement?.textContent);

describe('signing in', () => {
  test('leads back to the page that was asked for', async () => {
    on.api.signedIn = false;
    await on.visit(`/${lakeside}/sessions?status=failed`);
    await on.expectHeading('Payments');
    expect(pathOf()).toBe(`/${lakeside}/sessions?status=failed`);
    expect(on.api.signedIn).toBe(true);
  });

  test('a session that ends keeps what was typed, but no name of a patient', async () => {
    await on.open('/sessions/new');
    await fillPaymentLink(on.page);
    on.api.signedIn = false;
    await on.signInWith(on.button('Create payment link'));
    expect(on.api.signedIn).toBe(true);
    await expect.poll(() => on.page.getByLabel('Invoice number').inputValue(), soon).toBe('INV-9');
    expect(await on.page.getByLabel("Patient's first name").inputValue(), 'no name is stored').toBe('');
    await expect.poll(focused, soon).toMatch(/^Not saved yet. Enter the patient’s name again/);
    await fillName(on.page);
    await on.button('Create payment link').click();
    await on.expectHeading('Payment link created');
  });

  test('that Back leads away from asks again, and keeps what was typed', async () => {
    await on.open('/sessions/new');
    await fillPaymentLink(on.page);
    on.api.signedIn = false;
    const signIn = '**/api/dashboard/sign-in*';
    // Keeps the page from leaving.
    await on.page.route(signIn, (route) => route.fulfill({ status: 204 }));
    await Promise.all([on.page.waitForResponse(signIn), on.button('Create payment link').click()]);
    await on.page.unroute(signIn);
    // Behaves like a browser that restores the page as it was.
    await Promise.all([
      on.page.waitForEvent('domcontentloaded'),
      on.page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
    ]);
    await on.expectText('Not saved yet.');
    expect(on.api.signedIn).toBe(true);
    expect(await on.page.getByLabel('Invoice number').inputValue()).toBe('INV-9');
    expect(await on.page.getByLabel("Patient's first name").inputValue()).toBe('');
  });

  test('a browser in which nobody has signed in sends no request', async () => {
    on.api.signedIn = false;
    await on.visit('/');
    await on.expectHeading('Practice dashboard');
    expect(
      await on.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
    ).not.toContain(`${on.api.url}/api/dashboard/me`);
  });

  test('in a new tab leads to the practices', async () => {
    on.api.signedIn = false;
    await on.visit('/');
    const address = await on.link('Sign in').evaluate((link: HTMLAnchorElement) => link.href);
    // Not with a middle click: on a busy machine, headless Chromium loses one in a hundred.
    const opened = await on.page.context().newPage();
    await opened.goto(address);
    await opened.getByRole('heading', { name: 'Choose a practice' }).waitFor();
    expect(opened.url()).toBe(`${on.api.url}/`);
    await on.visit('/');
    await on.expectHeading('Choose a practice');
  });

  test.each(['/', '/?problem=sign_in_expired'])(
    'by an address that returns to %s leads to the practices',
    async (page) => {
      on.api.signedIn = false;
      await on.visit(`/api/dashboard/sign-in?return=${encodeURIComponent(page)}`);
      await on.expectHeading('Choose a practice');
      expect(pathOf()).toBe(page);
      expect(new URL(on.page.url()).hash).toBe('');
    },
  );

  test.each(['/.//evil.example', '/%2F/evil'])('by an address that returns to %s stays here', async (path) => {
    await on.page.goto(`${on.api.url}/api/dashboard/sign-in?return=${encodeURIComponent(path)}`);
    await on.page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(on.page.url()).origin).toBe(on.api.url);
  });

  test('signing out lands on a page that says so, even when it is loaded again, until the next sign-in', async () => {
    await on.open('');
    await on.button('Sign out').click();
    await on.expectHeading('You are signed out');
    expect(on.sent('signOut')).toEqual([{ everywhere: false }]);
    await on.page.reload();
    await on.link('Sign in again').click();
    await on.expectHeading('Choose a practice');
    expect(await on.page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('signing out is not undone by an answer that arrives before the browser has left', async () => {
    const sessionId = 'ses_01KAGPENDING0000000000000';
    await on.open(`/sessions/${sessionId}`);
    const late = Promise.withResolvers<{ code: 'not_signed_in' }>();
    on.api.overrides.getSession = () => late.promise;
    const asked = on.callsOf('getSession').length;
    await on.pass(4);
    await expect.poll(() => on.callsOf('getSession').length, soon).toBe(asked + 1);
    await on.page.route(`${on.api.url}/`, async (route) => {
      const answered = on.page.waitForResponse((response) => response.url().endsWith(sessionId));
      late.resolve({ code: 'not_signed_in' });
      await (await answered).finished();
      await route.continue();
    });
    await on.button('Sign out').click();
    await on.link('Sign in again').waitFor();
    expect(on.api.signedIn).toBe(false);
  });
});

describe('practices', () => {
  test('a fresh link pasted over one that was used replaces it', async () => {
    await on.visit('/join#used');
    await on.button('Accept invitation').click();
    const refusal = on.page.getByText('This invitation no longer works.');
    await refusal.waitFor();
    await on.page.goto(`${on.api.url}/join#fresh-token`);
    await refusal.waitFor({ state: 'detached' });
    expect(on.page.url()).toBe(`${on.api.url}/join`);
    await on.button('Accept invitation').click();
    await on.expectHeading('Home');
    expect(on.sent('acceptInvitation')).toEqual([{ token: 'used' }, { token: 'fresh-token' }]);
  });

  test('a link pasted into a tab that asks for one is accepted there', async () => {
    await on.visit('/join');
    await on.expectHeading('Open your invitation link again');
    await on.page.goto(`${on.api.url}/join#fresh-token`);
    await on.button('Accept invitation').click();
    await on.expectHeading('Home');
  });
});

describe('moving around', () => {
  test('names the document, moves the focus to the heading, and Back returns', async () => {
    await on.open('');
    await on.link('Payments').click();
    await on.expectHeading('Payments');
    await expect.poll(focused).toBe('Payments');
    expect(await on.page.title()).toBe('Payments - Lakeside Family Dental');
    expect(await on.link('Payments').getAttribute('aria-current')).toBe('page');
    await on.page.goBack();
    await on.expectHeading('Home');
    await expect.poll(focused).toBe('Home');
  });

  test('the keyboard skips to the content', async () => {
    await on.visit(`/${lakeside}/sessions`);
    await on.page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await on.page.keyboard.press('Enter');
    expect(await on.page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  test('on a phone, the menu opens on demand and closes behind the user', async () => {
    await on.page.setViewportSize(phone);
    await on.open('');
    expect(await on.link('Payments').isVisible()).toBe(false);
    await on.button('Menu').click();
    await on.link('Payments').click();
    await on.expectHeading('Payments');
    await expect.poll(() => on.link('Payments').isVisible()).toBe(false);
  });

  test('a screen whose file is gone after a release offers to reload', async () => {
    await on.visit(`/${lakeside}`);
    // The app remembers that it could not load the screen: the next test has to load the app again.
    onTestFinished(async () => {
      await on.page.goto('about:blank');
    });
    await on.page.route('**/assets/session-screens-*.js', (route) => route.abort());
    await on.link('Payments').click();
    await on.expectHeading('This screen could not be loaded');
    await on.button('Reload').waitFor();
  });
});

describe('help', () => {
  const footer = () => on.page.getByRole('main').locator('footer');
  const words = 'Help: Guide for the front desk\n\nExample Payments, Inc., help@example.com';

  test.each(['/?problem=sign_in_failed', '/prc_of_others', `/${lakeside}/nowhere`])(
    'stands at the foot of %s, with who runs the service',
    async (path) => {
      on.api.signedIn = path !== '/?problem=sign_in_failed';
      await on.visit(path);
      expect(await footer().innerText()).toBe(words);
      expect(await on.link('help@example.com').getAttribute('href')).toBe('mailto:help@example.com');
    },
  );

  test.each(['staff', 'viewer'] as const)(
    'leads %s, who set up no software, to no screen for developers',
    async (role) => {
      on.api.role = role;
      await on.open('');
      const entries = await on.page.getByRole('navigation').getByRole('link').allTextContents();
      expect(entries).toEqual(['Home', 'Payments', 'Help', 'Practice', 'Test bank', 'Team', 'Audit log']);
      on.api.joinHarbor({ acting: true });
      await on.open('');
      expect(await on.page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(
        expect.arrayContaining(developers),
      );
    },
  );

  test('is not printed, and the menu leads staff to it before developers to theirs', async () => {
    await on.open('');
    const entries = await on.page.getByRole('navigation').getByRole('link').allTextContents();
    expect(entries).toEqual(['Home', 'Payments', 'Help', 'Practice', 'Test bank', 'Team', 'Audit log', ...developers]);
    expect(await on.link('Help').getAttribute('href')).toBe('/docs/front-desk');
    await on.page.emulateMedia({ media: 'print' });
    expect(await footer().isVisible()).toBe(false);
  });
});

test('a form can be sent again after a fault of our own, which is not hidden', async () => {
  await on.open('/sessions/new');
  await fillPaymentLink(on.page);
  await on.page.evaluate(() => {
    const { randomUUID } = Crypto.prototype;
    Crypto.prototype.randomUUID = () => {
      Crypto.prototype.randomUUID = randomUUID;
      throw new Error('No randomness left.');
    };
  });
  await on.button('Create payment link').click();
  await expect.poll(() => on.faults.splice(0), soon).toEqual(['Error: No randomness left.']);
  await on.button('Create payment link').click();
  await on.expectHeading('Payment link created');
});
