// @module-tag browser

import { createServer } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { getMember } from '../../functions/store/team/members.ts';
import { CookieJar } from '../support/http-request.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { startServer } from '../support/server.ts';
import { submitCredentials } from '../support/sign-in.ts';

let service: TestPractice;
let browser: Browser;
let context: BrowserContext;
let dashboard: Page;
let evilUrl: string;

/** What a page of another site may try. `localhost` and `127.0.0.1` are different sites. */
const evilPage = (target: string) => `<!doctype html>
<form id="plain" method="post" action="${target}"><input name="mailTopics" value="payment_failed"></form>
<form id="json" method="post" enctype="text/plain" action="${target}">
  <input name='{"mailTopics":["payment_failed"],"a":"' value='"}'>
</form>`;

onStack.beforeAll(async ({ own, browser: shared }) => {
  [service, browser] = [own, shared];
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(evilPage(mailsUrl())),
  );
  evilUrl = `http://localhost:${await startServer(server, afterAll)}`;
  context = await browser.newContext();
  dashboard = await context.newPage();
  await signInAsViewer(dashboard, '/api/dashboard/sign-in');
});
afterAll(() => context.close());

const mailsUrl = () => `${service.dashboardUrl}/api/dashboard/practices/${service.practice.practiceId}/team/mails`;

function viewer() {
  const found = service.dashboardUsers.find(({ role }) => role === 'viewer');
  if (!found) throw new Error('no viewer');
  return found;
}

async function signInAsViewer(page: Page, path: string): Promise<void> {
  const { email, password } = viewer();
  await page.goto(service.dashboardUrl + path);
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByLabel(/password/i).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.origin === service.dashboardUrl);
}

async function topicsOfViewer(): Promise<readonly string[] | undefined> {
  const answer = await dashboard.evaluate(async () => (await fetch('/api/dashboard/me')).json() as Promise<unknown>);
  const { userId } = (answer as { user: { userId: string } }).user;
  const { practiceId } = service.practice;
  return (await getMember(service.operated.database, { practiceId, userId }))?.mailTopics;
}

async function onEvilSite(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(evilUrl);
  return page;
}

const changeTo = (mailTopics: readonly string[]) => ({ method: 'POST', body: JSON.stringify({ mailTopics }) }) as const;
const change = changeTo(['payment_failed']);

describe('in a browser that is signed in', () => {
  it('no script of the dashboard can read the cookie', async () => {
    expect(await dashboard.evaluate(() => document.cookie)).toBe('');
    expect((await context.cookies()).find(({ name }) => name === 'dashboard')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
  });

  it.each(['plain', 'json'])('the %s form of another site changes nothing', async (id) => {
    const page = await onEvilSite();
    const [response] = await Promise.all([
      page.waitForResponse(mailsUrl()),
      page.evaluate((form) => document.querySelector<HTMLFormElement>(`#${form}`)?.submit(), id),
    ]);
    expect([401, 403]).toContain(response.status());
    expect(await topicsOfViewer()).toEqual([]);
  });

  it('a request of a script of another site changes nothing and reads nothing', async () => {
    const page = await onEvilSite();
    const attempts = await page.evaluate(
      async ([url, me, sent]) => {
        const json = { 'content-type': 'application/json', 'x-dashboard': '1' };
        const outcome = async (target: string, init: RequestInit) => {
          try {
            const response = await fetch(target, { credentials: 'include', ...init });
            return `${response.type} ${await response.text()}`;
          } catch {
            return 'refused';
          }
        };
        return Promise.all([
          outcome(url, { ...sent, mode: 'no-cors' }),
          outcome(url, { ...sent, headers: json }),
          outcome(me, {}),
          outcome(me, { mode: 'no-cors' }),
        ]);
      },
      [mailsUrl(), `${service.dashboardUrl}/api/dashboard/me`, change] as const,
    );
    expect(attempts).toEqual(['opaque ', 'refused', 'refused', 'opaque ']);
    expect(await topicsOfViewer()).toEqual([]);
  });

  it('a request of the dashboard itself needs the header', async () => {
    const send = (headers: Record<string, string>, body = change) =>
      dashboard.evaluate(
        async ([url, sent, extra]) => {
          const response = await fetch(url, { ...sent, headers: { 'content-type': 'application/json', ...extra } });
          return response.status;
        },
        [mailsUrl(), body, headers] as const,
      );
    onTestFinished(async () => {
      await send({ 'x-dashboard': '1' }, changeTo([]));
    });
    expect(await send({})).toBe(403);
    expect(await topicsOfViewer()).toEqual([]);
    expect(await send({ 'x-dashboard': '1' })).toBe(200);
    expect(await topicsOfViewer()).toEqual(['payment_failed']);
  });

  it('another site cannot show the dashboard in a frame', async () => {
    const page = await onEvilSite();
    await page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
    }, service.dashboardUrl);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  });
});

describe('a sign-in in a browser', () => {
  async function newPage(): Promise<Page> {
    const another = await browser.newContext();
    onTestFinished(() => another.close());
    return another.newPage();
  }

  it('asked to return to another site stays on the dashboard', async () => {
    const page = await newPage();
    await signInAsViewer(page, `/api/dashboard/sign-in?return=${encodeURIComponent(`//localhost:1/`)}`);
    expect(new URL(page.url()).origin).toBe(service.dashboardUrl);
  });

  it('cannot be finished by going to its callback again, which leads home', async () => {
    const page = await newPage();
    const callback = page.waitForRequest((request) => request.url().includes('/api/dashboard/callback'));
    await signInAsViewer(page, '/api/dashboard/sign-in');
    const cookies = await page.context().cookies();
    await page.goto((await callback).url());
    expect(page.url()).not.toContain('problem');
    expect(await page.context().cookies()).toEqual(cookies);
  });

  it("cannot be finished in a victim's browser", async () => {
    const begun = await fetch(`${service.dashboardUrl}/api/dashboard/sign-in`, { redirect: 'manual' });
    const authorizationUrl = new URL(begun.headers.get('location') ?? '');
    const callback = await submitCredentials(new CookieJar(), authorizationUrl, viewer(), service.dashboardUrl);
    const victim = await newPage();
    await victim.goto(callback.href);
    expect(victim.url()).toBe(`${service.dashboardUrl}/?problem=sign_in_expired`);
    expect(await victim.context().cookies()).toEqual([]);
  });
});
