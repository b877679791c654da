import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as client from 'openid-client';
import { openState } from '../../lib/local/state.ts';
import { openUsers } from '../../lib/local/user-pool.ts';
import { CookieJar } from '../support/http-request.ts';
import { startIdentityProvider } from '../support/fake-issuer.ts';
import { submitCredentials } from '../support/sign-in.ts';

const dashboardUrl = 'http://127.0.0.1:4002';
const redirectUri = `${dashboardUrl}/api/dashboard/callback`;
const admin = { email: 'admin@lakeside.example', password: 'demo-password' };
const output = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let configuration: client.Configuration;

async function start(): Promise<void> {
  provider = await startIdentityProvider({ users: [admin], redirectUris: [redirectUri] });
  configuration = await client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    undefined,
    client.ClientSecretBasic(provider.clientSecret),
    { execute: [client.allowInsecureRequests] },
  );
}
beforeAll(start);
afterAll(() => provider.stop());

const verifier = client.randomPKCECodeVerifier();
async function authorizationUrl(extra: Record<string, string> = {}): Promise<URL> {
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...extra,
  });
}

async function claimsFrom(callback: URL): Promise<client.IDToken> {
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: 'a-state',
    expectedNonce: 'a-nonce',
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  return tokens.claims() as client.IDToken;
}

async function submitAndRead(jar = new CookieJar()): Promise<client.IDToken> {
  return claimsFrom(await submitCredentials(jar, await authorizationUrl(), admin, dashboardUrl));
}

test('a user signs in and the ID token names the user and the time of the sign-in', async () => {
  const before = Math.floor(Date.now() / 1000);
  const claims = await submitAndRead();
  expect(claims).toMatchObject({ iss: provider.issuer, email: admin.email, sub: expect.any(String) as string });
  expect(claims.auth_time).toBeGreaterThanOrEqual(before);
});

test('the subject of a user is the same at every start', async () => {
  const subject = (await submitAndRead()).sub;
  await provider.stop();
  await start();
  expect((await submitAndRead()).sub).toBe(subject);
});

test('a wrong password is refused on the page', async () => {
  const jar = new CookieJar();
  const started = await jar.fetch(await authorizationUrl());
  const page = new URL(started.headers.get('location') ?? '', provider.issuer);
  const refused = await jar.fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ email: '"><script>', password: 'wrong' }),
  });
  expect(refused.status).toBe(403);
  const html = await refused.text();
  expect(html).toContain('role="alert"');
  expect(html).not.toContain('<script>');
});

test('a signed-in user comes back at once, unless a new sign-in is requested', async () => {
  const jar = new CookieJar();
  await submitAndRead(jar);
  const again = await submitCredentials(jar, await authorizationUrl(), { email: '', password: '' }, dashboardUrl);
  expect((await claimsFrom(again))['email']).toBe(admin.email);
  for (const extra of [{ prompt: 'login' }, { max_age: '0' }]) {
    const asked = await jar.fetch(await authorizationUrl(extra));
    expect(asked.headers.get('location')).toMatch(/\/sign-in\//);
  }
});

test('a request without a PKCE challenge is refused', async () => {
  const url = await authorizationUrl();
  for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
  const refused = await fetch(url, { redirect: 'manual' });
  expect(refused.headers.get('location')).toMatch(/error=invalid_request/);
});

const directory = mkdtempSync(join(tmpdir(), 'local-users-'));
afterAll(() => rmSync(directory, { recursive: true }));

const user = { email: 'new@lakeside.example', password: 'temporary' };

test('users and their passwords survive a restart', () => {
  const before = openState(directory);
  const created = openUsers(before).create(user);
  before.close();

  const after = openState(directory);
  expect(openUsers(after).byEmail('NEW@lakeside.example')).toEqual(created);
  expect(openUsers(after).bySubject(created.subject)).toMatchObject(user);
  after.close();
});

test('creating a user again keeps the password', () => {
  const state = openState(directory);
  const users = openUsers(state);
  const created = users.create(user);
  expect(users.create({ email: 'New@lakeside.example', password: 'another' })).toEqual(created);
  state.close();
});

test('a user created again after removal is a new user', () => {
  const state = openState(directory);
  const users = openUsers(state);
  const removed = users.create(user);
  users.remove(removed);
  expect(users.byEmail(user.email)).toBeUndefined();
  expect(users.create(user).subject).not.toBe(removed.subject);
  state.close();
});

test('a fresh start has no users', () => {
  const state = openState(directory);
  openUsers(state).create(user);
  state.clear();
  expect(openUsers(state).byEmail(user.email)).toBeUndefined();
  state.close();
});

test('it prints nothing', () => {
  for (const each of output) expect(each).not.toHaveBeenCalled();
});
