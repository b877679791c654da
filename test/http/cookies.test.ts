import { expect, test } from 'vitest';
import { clearCookie, setCookie } from '../../functions/http/cookies.ts';

test('over TLS, a cookie belongs to this host alone, and no script can read it', () => {
  expect(setCookie('dashboard', 'secret', 'https://dashboard.example')).toBe(
    '__Host-dashboard=secret; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
});

test('on a laptop without TLS, a cookie has no prefix', () => {
  expect(setCookie('sign-in', 'secret', 'http://127.0.0.1:4002', 600)).toBe(
    'sign-in=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=600',
  );
});

test('a cookie that is cleared has the same attributes', () => {
  expect(clearCookie('dashboard', 'https://dashboard.example')).toBe(
    '__Host-dashboard=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
  );
});
