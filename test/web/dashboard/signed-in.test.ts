// @module-tag browser

import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedUsers } from '../../../bin/local/demo-practice.ts';
import { deleteDashboardSession } from '../../../functions/store/team/dashboard-sessions.ts';
import { sha256 } from '../../../functions/domain/identifier.ts';
import { runCommand } from '../../support/run-command.ts';
import { startServer } from '../../support/server.ts';
import { controlsOf, watchRequests } from './page-requests.ts';
import { headingOf, submitCredentials, useDashboardOnStack } from './on-stack.ts';

const on = useDashboardOnStack();
const pathOf = (page: Page) => page.url().slice(on.service.dashboardUrl.length);

/** For tests that change what the user may do. */
async function newViewer(domain: string) {
  const { stack, operated } = on.service;
  const users = await seedUsers(stack, operated, on.practiceId, Date.now(), domain);
  return users.find(({ role }) => role === 'viewer') ?? expect.fail('no viewer');
}

test('a bookmark leads to its screen after the sign-in', async () => {
  const page = await on.newPage();
  const bookmark = '/sessions?status=pending&status=failed&from=2026-01-01&invoice=INV*1%2B2';
  await on.visit(page, bookmark);
  await submitCredentials(page, on.credentialsOf('staff'));
  await headingOf(page, 'Payments').waitFor();
  expect(pathOf(page)).toBe(`/${on.practiceId}${bookmark}`);
  expect(await page.getByLabel('Failed').isChecked()).toBe(true);
  expect(await page.getByLabel('Paid', { exact: true }).isChecked()).toBe(false);
  expect(await page.getByLabel('Created from').inputValue()).toBe('2026-01-01');
});

test('the menu leads to the docs of the front desk and, for admins, of developers, which need no sign-in', async () => {
  const page = await on.visitAs('admin', '');
  // This stack does not say who runs it.
  expect(await page.locator('footer').innerText()).toBe('Help: Guide for the front desk');
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await headingOf(page, 'Guide for the front desk').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Docs', exact: true }).click();
  await headingOf(page, 'Quick start').waitFor();
  expect(pathOf(page)).toBe('/docs/');
});

describe('a session that has ended', () => {
  test('asks for the sign-in, which comes back to the screen', async () => {
    const page = await on.visitAs('viewer', '/team');
    const requests = await watchRequests(page);
    await page.reload();
    await page.getByRole('row').first().waitFor();
    // Otherwise an answer still to come may ask for the sign-in first.
    await requests.read('/alerts');
    const [cookie] = await page.context().cookies();
    await deleteDashboardSession(on.service.operated.database, sha256(cookie?.value ?? ''));
    await page.getByRole('link', { name: 'Audit log' }).click();
    await submitCredentials(page, on.credentialsOf('viewer'));
    await headingOf(page, 'Audit log').waitFor();
    expect(pathOf(page)).toBe(`/${on.practiceId}/audit-log`);
  });

  test('by "Sign out everywhere" ends in other browsers too', async () => {
    const [one, other] = [await on.newPage(), await on.newPage()];
    for (const page of [one, other]) {
      const requests = await watchRequests(page);
      // Unlike home, this screen polls only for alerts, which would ask for the sign-in before the click below.
      await on.visit(page, '/audit-log');
      await submitCredentials(page, on.credentialsOf('viewer'));
      await headingOf(page, 'Audit log').waitFor();
      await requests.read('/alerts');
    }
    await one.getByRole('button', { name: 'Sign out everywhere' }).click();
    await one.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await headingOf(one, 'You are signed out').waitFor();
    await one.getByRole('link', { name: 'Sign in again' }).click();
    await headingOf(one, 'Sign in').waitFor();
    expect(new URL(one.url()).origin, 'the issuer asks again').toBe(on.service.stack.issuer);
    await other.getByRole('link', { name: 'Team' }).click();
    // The issuer still knows the user of that browser.
    await headingOf(other, 'Team').waitFor();
    expect(pathOf(other)).toBe(`/${on.practiceId}/team`);
  });
});

describe('an invitation', () => {
  async function invite(email: string): Promise<string> {
    const { practiceId } = on;
    const added = await runCommand(on.service.operated, 'add-member', { practice: practiceId, email, role: 'staff' });
    return String(added['invitationUrl']);
  }

  test('is accepted once, and then by nobody else', async () => {
    const url = await invite('hire@lakeside.example');
    const viewer = await newViewer('hired.example');
    const [hire, other] = [await on.newPage(), await on.newPage()];
    for (const [page, credentials] of [
      [hire, viewer],
      [other, on.credentialsOf('staff')],
    ] as const) {
      await page.goto(url);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await submitCredentials(page, credentials);
      await page.getByRole('button', { name: 'Accept invitation' }).waitFor();
      expect(pathOf(page)).toBe('/join');
    }
    await hire.getByRole('button', { name: 'Accept invitation' }).click();
    await headingOf(hire, 'Home').waitFor();
    await other.getByRole('button', { name: 'Accept invitation' }).click();
    await other.getByRole('alert').waitFor();
    expect(await other.getByRole('alert').innerText()).toMatch(/invitation/i);
    expect(pathOf(other)).toBe('/join');
  });
});

describe('a page on another port of the same host, which the cookie reaches,', () => {
  let evilUrl: string;
  beforeAll(async () => {
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
    evilUrl = `http://127.0.0.1:${await startServer(server, afterAll)}`;
  });

  test('signs nobody out, by a form or by a script, and reads nothing', async () => {
    const page = await on.visitAs('viewer');
    await headingOf(page, 'Home').waitFor();
    await page.goto(evilUrl);
    const api = `${on.service.dashboardUrl}/api/dashboard`;
    const outcomes = await page.evaluate(async (url) => {
      const told = [];
      for (const [path, init] of [
        ['/sign-out', { method: 'POST', mode: 'no-cors', body: '{}' }],
        ['/sign-out', { method: 'POST', headers: { 'x-dashboard': '1' }, body: '{}' }],
        ['/me', {}],
      ] as const) {
        const response = await fetch(url + path, { credentials: 'include', ...init }).catch(() => undefined);
        told.push(response ? `${response.type} ${await response.text()}` : 'refused');
      }
      return told;
    }, api);
    expect(outcomes).toEqual(['opaque ', 'refused', 'refused']);
    expect(on.faults.splice(0).filter((fault) => fault.includes('blocked by CORS policy'))).toHaveLength(2);
    const [response] = await Promise.all([
      page.waitForResponse(`${api}/sign-out`),
      page.evaluate((url) => {
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action: `${url}/sign-out`, enctype: 'text/plain' });
        document.body.append(form);
        form.submit();
      }, api),
    ]);
    expect((await response.request().allHeaders())['cookie']).toMatch(/^dashboard=/);
    expect(response.status()).toBe(403);
    await page.waitForURL(`${api}/sign-out`);
    await on.visit(page, '');
    await headingOf(page, 'Home').waitFor();
  });
});

test("a member's role changes, and ends, on their next click", async () => {
  const leaving = await newViewer('leaving.example');
  const { email } = leaving;
  const viewer = await on.newPage();
  await on.visit(viewer, '/sessions');
  await submitCredentials(viewer, leaving);
  await headingOf(viewer, 'Payments').waitFor();
  const page = await on.visitAs('admin', '/team');
  const { button, inDialog, row } = controlsOf(page);

  await button(`Change role of ${email}`).click();
  await inDialog.label('Staff').check();
  await inDialog.button('Change role').click();
  await row(email).filter({ hasText: 'Staff' }).waitFor();
  await viewer.reload();
  await controlsOf(viewer).link('New payment link').first().waitFor();

  await button(`Remove ${email}`).click();
  await inDialog.button('Remove member').click();
  await row(email).waitFor({ state: 'detached' });
  await viewer.reload();
  await headingOf(viewer, 'There is no such page').waitFor();
  expect(await viewer.getByRole('navigation').count()).toBe(0);
});
