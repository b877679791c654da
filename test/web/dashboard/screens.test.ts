// @module-tag browser

import { describe, expect, test } from 'vitest';
import { objections } from '../axe.ts';
import { phone } from '../open-page.ts';
import { desktop, useDashboardOnDouble } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';
import { paidSessionId } from './session-data.ts';

const on = useDashboardOnDouble();
const session = `/${lakeside}/sessions/${paidSessionId}`;
const pending = `/${lakeside}/sessions/ses_01KAGPENDING0000000000000`;

/** What to click first, by its name. */
const screens: Record<string, { path: string; click?: string[] }> = {
  'the choice of a practice': { path: '/' },
  'a sign-in that failed': { path: '/?problem=sign_in_failed' },
  'an invitation': { path: '/join#fresh-token' },
  'home of a new practice': { path: `/${maple}` },
  'home with its table': { path: `/${lakeside}`, click: ['Show the numbers as a table'] },
  sessions: { path: `/${lakeside}/sessions?status=succeeded&status=failed` },
  'no session': { path: `/${lakeside}/sessions?invoice=none` },
  'the export': { path: `/${lakeside}/sessions`, click: ['Export CSV'] },
  'a session with an attempt and its body': { path: session, click: ['Delivered', 'Body of the webhook'] },
  'cancelling a session': { path: pending, click: ['Cancel session'] },
  'a new link': { path: pending, click: ['Replace link', 'Replace link'] },
  'the proof of authorization': { path: `${session}/authorization` },
  'errors of a new payment link': { path: `/${lakeside}/sessions/new`, click: ['Add metadata', 'Create payment link'] },
  'an unknown page': { path: `/${lakeside}/nowhere` },
};

describe.each(Object.entries(screens))('%s', (_, { path, click = [] }) => {
  test.each([
    ['a phone', phone],
    ['a desktop', desktop],
  ])('is free of objections on %s, and no wider than it', async (__, size) => {
    await on.page.setViewportSize(size);
    await on.visit(path);
    for (const name of click) {
      await on.page.getByText(name, { exact: true }).last().click();
      await on.loaded();
    }
    expect(await objections(on.page)).toEqual([]);
    expect(await on.page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
  });
});
