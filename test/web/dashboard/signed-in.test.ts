// @module-tag browser

import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../support/server.ts';
import { headingOf, useDashboardOnStack } from './on-stack.ts';

const on = useDashboardOnStack();
const pathOf = (page: Page) => page.url().slice(on.service.dashboardUrl.length);

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
