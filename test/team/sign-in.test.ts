import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../functions/domain/identifier.ts';
import { userIdOf } from '../../functions/domain/team/member.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { getDashboardSession } from '../../functions/store/team/dashboard-sessions.ts';
import { signOut } from '../../functions/team/sign-in.ts';
import { CookieJar } from '../support/http-request.ts';
import { startIdentityProvider } from '../support/fake-issuer.ts';
import { loggedBy } from '../support/logged.ts';
import { startTestTables } from '../support/tables.ts';
import { aUser, openDashboardSession } from '../support/dashboard.ts';
import { dashboardUrl, parameter, signingInAt } from './signing-in.ts';

const callbackUrl = `${dashboardUrl}/api/dashboard/callback`;
const ada = { email: 'ada@lakeside.example', password: 'a-password' };
const eve = { email: 'eve@lakeside.example', password: 'e-password' };
const { database } = await startTestTables();

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let at: ReturnType<typeof signingInAt>;
beforeAll(async () => {
  provider = await startIdentityProvider({ users: [ada, eve], redirectUris: [callbackUrl] });
  at = signingInAt(database, provider);
});
afterAll(() => provider.stop());

const expired = { kind: 'not_signed_in', problem: 'sign_in_expired' };

async function signedIn(...[query, secret, now, sessionSecret]: Parameters<typeof at.finish>) {
  const finished = await at.finish(query, secret, now, sessionSecret);
  if (finished.kind !== 'signed_in') throw new Error('not signed in');
  return { ...finished, session: await getDashboardSession(database, sha256(finished.secret)) };
}

describe('a sign-in', () => {
  test('opens a session of the user at the page asked for', async () => {
    const begun = await at.begin({ returnTo: '/prc_1/sessions?status=failed' });
    const { returnTo, session } = await signedIn(await at.submit(begun, ada), begun.secret);
    expect(returnTo).toBe('/prc_1/sessions?status=failed');
    expect(session).toMatchObject({ issuer: provider.issuer, email: ada.email });
    expect(session?.userId).toBe(userIdOf({ issuer: provider.issuer, subject: session?.subject ?? '' }));
    expect(Date.parse(session?.authenticatedAt ?? '')).toBeGreaterThan(Date.now() - minute);
  });

  test('asks for a code with PKCE, a state and a nonce, each new every time', async () => {
    const [first, second] = [await at.begin(), await at.begin()];
    const url = first.authorizationUrl;
    expect(parameter(url, 'code_challenge_method')).toBe('S256');
    expect(parameter(url, 'redirect_uri')).toBe(callbackUrl);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(parameter(url, name)).toMatch(/^[\w-]{43}$/);
      expect(parameter(url, name)).not.toBe(parameter(second.authorizationUrl, name));
    }
  });

  test('works once', async () => {
    const begun = await at.begin();
    const query = await at.submit(begun, ada);
    await signedIn(query, begun.secret);
    expect(await at.finish(query, begun.secret)).toMatchObject(expired);
  });

  test('works once even if two answers arrive together', async () => {
    const begun = await at.begin();
    const query = await at.submit(begun, ada);
    const both = await Promise.all([at.finish(query, begun.secret), at.finish(query, begun.secret)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['not_signed_in', 'signed_in']);
  });

  test('is over once the issuer has refused it', async () => {
    const begun = await at.begin();
    const query = await at.submit(begun, ada);
    const state = parameter(begun.authorizationUrl, 'state');
    const refusal = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }).toString();
    expect(await at.finish(refusal, begun.secret)).toEqual({
      kind: 'not_signed_in',
      problem: 'sign_in_refused',
      over: true,
    });
    expect(await at.finish(query, begun.secret)).toMatchObject(expired);
  });

  test('needs its own state, and stays open after a wrong one', async () => {
    const [begun, other] = [await at.begin(), await at.begin()];
    const query = await at.submit(begun, ada);
    const wrong = new URLSearchParams(query);
    wrong.set('state', parameter(other.authorizationUrl, 'state'));
    expect(await at.finish(wrong.toString(), begun.secret)).toEqual({ ...expired, over: false });
    wrong.delete('state');
    expect(await at.finish(wrong.toString(), begun.secret)).toMatchObject(expired);
    await expect(signedIn(query, begun.secret)).resolves.toMatchObject({ kind: 'signed_in' });
  });

  test('can be finished only in the browser that started it', async () => {
    const [begun, other] = [await at.begin(), await at.begin()];
    const query = await at.submit(begun, eve);
    expect(await at.finish(query)).toMatchObject(expired);
    expect(await at.finish(query, other.secret)).toMatchObject(expired);
    expect(await at.finish(query, 'unknown')).toMatchObject(expired);
  });

  test('takes at most 10 minutes', async () => {
    const now = Date.now();
    const begun = await at.begin({}, now - 10 * minute);
    expect(await at.finish(await at.submit(begun, ada), begun.secret, now)).toMatchObject(expired);
    const faster = await at.begin({}, now - 10 * minute + second);
    await expect(signedIn(await at.submit(faster, ada), faster.secret, now)).resolves.toBeDefined();
  });

  test('refuses a token that was issued for another nonce', async () => {
    const [begun, other] = [await at.begin(), await at.begin()];
    const url = new URL(begun.authorizationUrl);
    url.searchParams.set('nonce', parameter(other.authorizationUrl, 'nonce'));
    const query = await at.submit({ ...begun, authorizationUrl: url.href }, ada);
    expect(await at.finish(query, begun.secret)).toMatchObject({ problem: 'sign_in_failed' });
  });

  test("refuses the code of another browser's sign-in", async () => {
    const [begun, attack] = [await at.begin(), await at.begin()];
    const injected = new URLSearchParams(await at.submit(attack, eve));
    injected.set('state', parameter(begun.authorizationUrl, 'state'));
    expect(await at.finish(injected.toString(), begun.secret)).toMatchObject({ problem: 'sign_in_failed' });
  });
});

test('an answer that anybody can make up is not logged as an error', async () => {
  const lines = await loggedBy(async () => {
    for (const madeUp of [{ code: 'any' }, { code: 'any', iss: provider.issuer }]) {
      const { authorizationUrl, secret } = await at.begin();
      const query = new URLSearchParams({ ...madeUp, state: parameter(authorizationUrl, 'state') });
      expect(await at.finish(query.toString(), secret)).toMatchObject({ problem: 'sign_in_failed' });
    }
  });
  expect(lines).toMatchObject([
    { level: 'INFO', code: 'OAUTH_INVALID_RESPONSE' },
    { level: 'INFO', code: 'invalid_grant' },
  ]);
});

test('an answer that names another issuer is refused', async () => {
  const begun = await at.begin();
  const query = new URLSearchParams(await at.submit(begun, ada));
  query.set('iss', 'https://issuer.example');
  expect(await at.finish(query.toString(), begun.secret)).toMatchObject({ problem: 'sign_in_failed' });
});

test('a used or unknown callback leads home only in a browser with an open session', async () => {
  const begun = await at.begin();
  const query = await at.submit(begun, ada);
  const { secret } = await signedIn(query, begun.secret);
  const again = (sessionSecret?: string, now = Date.now()) => at.finish(query, begun.secret, now, sessionSecret);
  expect(await again(secret)).toEqual({ kind: 'already_signed_in' });
  expect(await at.finish(query, undefined, Date.now(), secret)).toEqual({ kind: 'already_signed_in' });
  expect(await again('unknown')).toMatchObject(expired);
  expect(await again(secret, Date.now() + hour)).toMatchObject(expired);
});

describe('the session', () => {
  test("has a new id at every sign-in, and the browser's earlier one ends", async () => {
    const first = await at.begin();
    const planted = await signedIn(await at.submit(first, eve), first.secret);
    const begun = await at.begin();
    const opened = await signedIn(await at.submit(begun, ada), begun.secret, Date.now(), planted.secret);
    expect(opened.secret).not.toBe(planted.secret);
    expect(opened.session?.email).toBe(ada.email);
    expect(await getDashboardSession(database, sha256(planted.secret))).toBeUndefined();
  });

  test('stays if a later sign-in fails', async () => {
    const first = await at.begin();
    const { secret } = await signedIn(await at.submit(first, ada), first.secret);
    await at.finish('code=x&state=y', 'unknown', Date.now(), secret);
    expect(await getDashboardSession(database, sha256(secret))).toBeDefined();
  });

  test('counts the time of the sign-in at the issuer, not of the callback', async () => {
    const browser = new CookieJar();
    const first = await at.begin();
    const { session } = await signedIn(await at.submit(first, ada, browser), first.secret);
    const later = Date.now() + hour;
    const begun = await at.begin({}, later);
    const query = await at.submit(begun, ada, browser);
    const second_ = await signedIn(query, begun.secret, later);
    expect(second_.session?.authenticatedAt).toBe(session?.authenticatedAt);
  });

  test('of a user who signed in again is recent', async () => {
    const browser = new CookieJar();
    const first = await at.begin();
    await at.submit(first, ada, browser);
    const begun = await at.begin({ again: true });
    expect(parameter(begun.authorizationUrl, 'prompt')).toBe('login');
    const { session } = await signedIn(await at.submit(begun, ada, browser), begun.secret);
    expect(Date.parse(session?.authenticatedAt ?? '')).toBeGreaterThan(Date.now() - minute);
  });
});

const ownPages = ['/', '/join', '/prc_1/sessions?invoice=INV*1%2B2+3&status=failed', "/prc_1/@x:y,(z)!'$;"];
// What a browser makes of these is tested in test/web/dashboard/shell.test.ts.
const slashes = ['/.//evil.example', '/%2F/evil.example'];

test.each([...ownPages, ...slashes])('a sign-in returns to %j', async (returnTo) => {
  const begun = await at.begin({ returnTo });
  expect((await signedIn(await at.submit(begun, ada), begun.secret)).returnTo).toBe(returnTo);
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  'https:evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/%0d%0aset-cookie:a=b\r\n',
  'evil.example',
  '/api/dashboard/sign-in',
  '/#token',
  '/@evil.example\\',
  '',
  `/${'a'.repeat(1001)}`,
])('a sign-in never returns to %j', async (returnTo) => {
  const begun = await at.begin({ returnTo });
  const finished = await signedIn(await at.submit(begun, ada), begun.secret);
  expect(finished.returnTo).toBe('/');
});

const find = (secret: string) => getDashboardSession(database, sha256(secret));

async function opened(user = aUser('ada')) {
  const session = await find(await openDashboardSession(database, user));
  if (!session) throw new Error('no session');
  return session;
}

test('signing out works while the issuer does not answer', async () => {
  const session = await opened();
  const issuer = { signOutUrl: async () => Promise.reject(new Error('down')) };
  expect(await signOut({ database, issuer }, { session, everywhere: false })).toEqual({ signOutUrl: undefined });
  expect(await getDashboardSession(database, session.dashboardSessionId)).toBeUndefined();
});

test('signing out everywhere ends each of many sessions of the user', async () => {
  const ada = aUser('ada');
  const secrets = await Promise.all(Array.from({ length: 30 }, () => openDashboardSession(database, ada)));
  const other = await openDashboardSession(database, aUser('bob'));
  const issuer = { signOutUrl: async () => undefined };
  await signOut({ database, issuer }, { session: await opened(ada), everywhere: true });
  expect((await Promise.all(secrets.map(find))).filter(Boolean)).toEqual([]);
  expect(await find(other)).toBeDefined();
});
