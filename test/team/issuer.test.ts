import { afterAll, describe, expect, test } from 'vitest';
import { connectIssuer } from '../../functions/team/issuer.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { getDashboardSession } from '../../functions/store/team/dashboard-sessions.ts';
import { startFakeIssuer } from '../support/fake-issuer.ts';
import { startTestTables } from '../support/tables.ts';
import { answerTo, dashboardUrl, parameter, signingInAt } from './signing-in.ts';

const { database } = await startTestTables();
const issuer = await startFakeIssuer({ signOut: true, stops: afterAll });
const at = signingInAt(database, issuer);
const seconds = (milliseconds: number) => Math.floor(milliseconds / second);

async function finishWith(
  claims: Readonly<Record<string, unknown>>,
  { again = false, foreignKey = false, now = Date.now(), by = issuer } = {},
) {
  const at = signingInAt(database, by);
  const begun = await at.begin({ again }, now);
  by.tell({ nonce: parameter(begun.authorizationUrl, 'nonce'), ...claims }, { foreignKey });
  const finished = await at.finish(answerTo(begun), begun.secret, now);
  if (finished.kind !== 'signed_in') return finished.kind === 'not_signed_in' && finished.problem;
  return getDashboardSession(database, sha256(finished.secret));
}

describe('an ID token', () => {
  test.each([
    ['of another issuer', { iss: 'https://issuer.example' }],
    ['for another client', { aud: 'another-client' }],
    ['that has expired', { exp: seconds(Date.now() - 2 * minute) }],
    ['without a nonce', { nonce: undefined }],
    ['without a subject', { sub: undefined }],
    ['for another sign-in', { nonce: 'another' }],
    ['for several clients, with no authorized one', { aud: ['fake-client', 'another'] }],
    ['for several clients, with another one authorized', { aud: ['fake-client', 'another'], azp: 'another' }],
    ['without a time of issue', { iat: undefined }],
  ])('%s is refused', async (_, claims) => {
    expect(await finishWith(claims)).toBe('sign_in_failed');
  });

  test('signed with another key is refused', async () => {
    expect(await finishWith({}, { foreignKey: true })).toBe('sign_in_failed');
  });

  test('that is valid signs in', async () => {
    expect(await finishWith({ email: 'ada@lakeside.example' })).toMatchObject({
      issuer: issuer.issuer,
      subject: 'subject',
      email: 'ada@lakeside.example',
    });
  });

  test('from a clock that is slightly off is accepted', async () => {
    const now = Date.now();
    expect(await finishWith({ iat: seconds(now + 30 * second), exp: seconds(now - 30 * second) })).toMatchObject({
      subject: 'subject',
    });
  });

  test.each([true, 'true', undefined])('with the verification %j is read with its email address', async (verified) => {
    const session = await finishWith({ email: 'boss@lakeside.example', email_verified: verified });
    expect(session).toHaveProperty('email', 'boss@lakeside.example');
  });

  test.each([false, 'false', 'True', ' true', 'yes', 1, null])(
    'with the verification %j is read without its email address',
    async (verified) => {
      const session = await finishWith({ email: 'boss@lakeside.example', email_verified: verified });
      expect(session).toMatchObject({ subject: 'subject' });
      expect(session).not.toHaveProperty('email');
    },
  );

  test.each(['ada@lakeside.example\nWho: the operator', 'ada@lakeside.example\u202e', 'ada lake@lakeside.example', ''])(
    'with an email address that could deceive a reader is read without it: %j',
    async (email) => {
      expect(await finishWith({ email })).not.toHaveProperty('email');
    },
  );
});

describe('an issuer asked to sign in again', () => {
  const again = true;

  test('must have asked the user', async () => {
    const earlier = seconds(Date.now() - 2 * minute);
    expect(await finishWith({ auth_time: earlier }, { again })).toBe('sign_in_not_repeated');
    expect(await finishWith({ auth_time: seconds(Date.now()) }, { again })).toMatchObject({ subject: 'subject' });
  });

  test('must say when', async () => {
    expect(await finishWith({}, { again })).toBe('sign_in_not_repeated');
    const by = await startFakeIssuer({ metadata: { claims_supported: ['sub', 'auth_time'] } });
    expect(await finishWith({}, { again, by })).toBe('sign_in_not_repeated');
  });

  test('may say it as text', async () => {
    const now = seconds(Date.now());
    expect(await finishWith({ auth_time: String(now) }, { again })).toMatchObject({
      authenticatedAt: new Date(now * second).toISOString(),
    });
    expect(await finishWith({ auth_time: String(now - 120) }, { again })).toBe('sign_in_not_repeated');
  });

  test.each([
    Date.now(),
    String(Date.now()),
    `${seconds(Date.now())}.5`,
    ` ${seconds(Date.now())}`,
    '2126-11-20',
    true,
  ])('has not said when with %j', async (time) => {
    expect(await finishWith({ auth_time: time }, { again })).toBe('sign_in_not_repeated');
    expect(await finishWith({ auth_time: time })).not.toHaveProperty('authenticatedAt');
  });

  test('that lists its claims without a time counts from when it was asked', async () => {
    const by = await startFakeIssuer({ metadata: { claims_supported: ['sub', 'email'] } });
    const now = Date.now() - minute;
    const authenticatedAt = new Date(now).toISOString();
    expect(await finishWith({}, { again, now, by })).toMatchObject({ authenticatedAt });
    expect(await finishWith({}, { now, by })).not.toHaveProperty('authenticatedAt');
    const earlier = seconds(now - 2 * minute);
    expect(await finishWith({ auth_time: earlier }, { again, now, by })).toBe('sign_in_not_repeated');
  });
});

test('without the time of the sign-in, no sign-in counts as recent', async () => {
  expect(await finishWith({})).not.toHaveProperty('authenticatedAt');
});

test('a sign-in is never in the future', async () => {
  const now = Date.now();
  expect(await finishWith({ auth_time: seconds(now + hour) }, { now })).toMatchObject({
    authenticatedAt: new Date(now).toISOString(),
  });
});

test("signing out leads to the issuer's sign-out page, which leads back", async () => {
  const url = await at.issuer.signOutUrl();
  expect(url).toMatch(`${issuer.issuer}/sign-out?`);
  expect(parameter(url ?? '', 'post_logout_redirect_uri')).toBe(`${dashboardUrl}/`);
  const without = signingInAt(database, await startFakeIssuer());
  expect(await without.issuer.signOutUrl()).toBeUndefined();
});

test.each([
  ['in a header', false],
  ['in the form, if the issuer takes it only there', true],
])('the client secret is sent %s', async (_, postOnly) => {
  const fake = await startFakeIssuer({ postOnly });
  const { begin, finish } = signingInAt(database, fake);
  const begun = await begin();
  fake.tell({ nonce: parameter(begun.authorizationUrl, 'nonce') });
  expect(await finish(answerTo(begun), begun.secret)).toMatchObject({ kind: 'signed_in' });
  const [request] = fake.tokenRequests;
  expect(request?.body.get('client_secret')).toBe(postOnly ? fake.clientSecret : null);
  expect(request?.authorization !== undefined).toBe(!postOnly);
  expect(request?.body.get('code_verifier')).toMatch(/^[\w-]{43}$/);
});

test('an issuer that was down is asked again', async () => {
  const fake = await startFakeIssuer();
  let asked = 0;

  const connected = connectIssuer({
    ...fake,
    dashboardUrl,
    readSecret: async () => {
      asked += 1;
      if (asked === 1) throw new Error('down');
      return fake.clientSecret;
    },
  });
  const secrets = { state: 's', nonce: 'n', codeVerifier: 'v' };
  await expect(connected.authorizationUrl(secrets, false)).rejects.toThrow('down');
  await expect(connected.authorizationUrl(secrets, false)).resolves.toMatch(fake.issuer);
  await connected.authorizationUrl(secrets, false);
  expect(asked).toBe(2);
});
