import { describe, expect, it } from 'vitest';
import {
  extendedExpiry,
  extensionLimit,
  extensionsLeft,
  isOpened,
} from '../../../functions/domain/sessions/extension.ts';
import { aSession } from '../../support/examples.ts';

const minute = 60_000;
const openedAt = Date.parse('2026-11-20T10:00:00.000Z');
const expiresAt = openedAt + 30 * minute;

describe('the extensions of a session', () => {
  it('are as many whole periods as fit before the end of the link, at most ten', () => {
    expect(extensionLimit(openedAt, expiresAt, expiresAt + 60 * minute)).toBe(2);
    expect(extensionLimit(openedAt, expiresAt, expiresAt + 60 * minute - 1)).toBe(1);
    expect(extensionLimit(openedAt, expiresAt, expiresAt - 40 * minute)).toBe(0);
    expect(extensionLimit(openedAt, expiresAt, expiresAt + 10_000 * minute)).toBe(10);
  });

  it('are ten unless the link ends before, less those that were taken', () => {
    expect(extensionsLeft(aSession())).toBe(10);
    expect(extensionsLeft(aSession({ extensionLimit: 3, extensions: 1 }))).toBe(2);
    expect(extensionsLeft(aSession({ extensionLimit: 1, extensions: 2 }))).toBe(0);
  });

  it('each add the period that the session began with', () => {
    const opened = { openedAt: new Date(openedAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() };
    expect(extendedExpiry(opened)).toBe(openedAt + 60 * minute);
    const extended = { ...opened, expiresAt: new Date(openedAt + 90 * minute).toISOString(), extensions: 2 };
    expect(extendedExpiry(extended)).toBe(openedAt + 120 * minute);
  });

  it('begin with the first open', () => {
    expect(isOpened(aSession())).toBe(false);
    expect(isOpened(aSession({ openedAt: '2026-11-20T10:00:00.000Z' }))).toBe(true);
  });
});
