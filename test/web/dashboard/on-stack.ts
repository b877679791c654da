import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { Role } from '../../../functions/domain/team/member.ts';
import { dashboardUser } from '../../support/dashboard-user.ts';
import type { TestPractice } from '../../support/local-stack.ts';
import { onStack } from '../../support/on-stack.ts';
import { startServer } from '../../support/server.ts';
import { skipDrawing } from '../journey.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface DashboardOnStack {
  readonly service: TestPractice;
  readonly practiceId: string;
  /** Tests that expect a fault empty this list. */
  readonly faults: string[];
  /** A new browser with nobody signed in. It is closed after the test. */
  newPage(): Promise<Page>;
  /** A signed-in member with the role, in their own browser, on a screen of the practice. */
  visitAs(role: Role, screen?: string): Promise<Page>;
  /** `screen` is a path below the practice's address. */
  visit(page: Page, screen: string): Promise<void>;
  credentialsOf(role: Role): Credentials;
}

/** The dashboard on a local stack, as the members of one practice use it. */
export function useDashboardOnStack(): DashboardOnStack {
  let service: TestPractice;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];

  onStack.beforeAll(({ own, browser: shared }) => {
    [service, browser] = [own, shared];
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(faults.splice(0)).toEqual([]);
  });

  async function newPage(): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      // Not the practice's zone, in which the dashboard shows days and times.
      timezoneId: 'Asia/Tokyo',
    });
    contexts.push(context);
    // A stack's first sign-in starts several functions.
    context.setDefaultTimeout(eventually.timeout);
    watch(context, faults);
    await skipDrawing(context);
    return context.newPage();
  }

  const on: DashboardOnStack = {
    get service() {
      return service;
    },
    get practiceId() {
      return service.practice.practiceId;
    },
    faults,
    newPage,
    async visitAs(role, screen = '') {
      const page = await newPage();
      const user = await dashboardUser(service, { practiceId: on.practiceId, role });
      const [name = '', value = ''] = user.cookie.split('=');
      await page.context().addCookies([{ name, value, url: service.dashboardUrl, httpOnly: true, sameSite: 'Lax' }]);
      await on.visit(page, screen);
      return page;
    },
    async visit(page, screen) {
      await page.goto(`${service.dashboardUrl}/${on.practiceId}${screen}`);
    },
    credentialsOf: (role) => service.dashboardUsers.find((user) => user.role === role) ?? expect.fail(`no ${role}`),
  };
  return on;
}

/** Violations of the content security policy are logged to the console. */
function watch(context: BrowserContext, faults: string[]): void {
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('console', (message) => {
    // The browser logs every refused call; tests cause these on purpose.
    if (message.type() !== 'log' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
  });
  context.on('request', (request) => {
    const from = request.isNavigationRequest() ? 'http://127.0.0.1' : new URL(request.frame().url()).origin;
    if (!request.url().startsWith(from)) faults.push(`${from} asks ${request.url()}`);
  });
}

/** Fills in the issuer's form. */
export async function submitCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The timeout of a poll for what the stack does by itself: four times what a busy machine needs. */
export const eventually = { timeout: 60_000 };

/** Waits like somebody who comes back to the tab again and again: a screen then polls right away. */
export async function comeBackFor(locator: Locator): Promise<void> {
  const isThere = async () => {
    await locator.page().evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    return locator.isVisible();
  };
  await expect.poll(isThere, { ...eventually, interval: 100 }).toBe(true);
}

export const headingOf = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true });

interface SignedReceiver {
  readonly url: string;
  /** The types that arrived with a valid signature. */
  readonly types: string[];
  /** The secret as the practice's software stores it. */
  secret: string;
}

/** A practice's server, which also takes test events. It stops with `stops`. */
export async function startSignedReceiver(stops: (stop: () => void) => void): Promise<SignedReceiver> {
  const receiver = { url: '', types: [] as string[], secret: '' };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    try {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      const event = new Webhook(receiver.secret).verify(body, Object.fromEntries(headers));
      receiver.types.push((event as { type: string }).type);
      response.end('Thank you');
    } catch {
      response.writeHead(400).end('Wrong signature');
    }
  });
  return Object.assign(receiver, { url: `http://127.0.0.1:${await startServer(server, stops)}/webhooks` });
}
