import { randomBytes } from 'node:crypto';
import type { Database } from '../../functions/store/database.ts';
import { beginSignIn, finishSignIn } from '../../functions/team/sign-in.ts';
import { connectIssuer } from '../../functions/team/issuer.ts';
import { CookieJar } from '../support/http-request.ts';
import { submitCredentials } from '../support/sign-in.ts';

export const dashboardUrl = 'http://127.0.0.1:4002';

interface Registration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Begun {
  readonly authorizationUrl: string;
  readonly secret: string;
}

/** The two halves of a sign-in at an issuer, and what happens between them. */
export function signingInAt(database: Database, { issuer: url, clientId, clientSecret }: Registration) {
  const readSecret = async () => clientSecret;
  const issuer = connectIssuer({ issuer: url, clientId, readSecret, dashboardUrl });
  const tools = { database, issuer, randomBytes };
  return {
    issuer,
    begin: (input: { returnTo?: string; again?: boolean } = {}, now = Date.now()): Promise<Begun> =>
      beginSignIn(tools, { returnTo: null, again: false, ...input }, now),
    finish: (query: string, secret?: string, now = Date.now(), sessionSecret?: string) =>
      finishSignIn(tools, { query, signInSecret: secret, sessionSecret }, now),
    /** The user signs in at a real issuer. Returns the callback's query. */
    async submit(begun: Begun, credentials: { email: string; password: string }, browser = new CookieJar()) {
      return (await submitCredentials(browser, new URL(begun.authorizationUrl), credentials, dashboardUrl)).search;
    },
  };
}

/** The callback's query from an issuer that signs anybody in. */
export function answerTo({ authorizationUrl }: Begun): string {
  return new URLSearchParams({ code: 'any', state: parameter(authorizationUrl, 'state') }).toString();
}

export function parameter(url: string, name: string): string {
  return new URL(url).searchParams.get(name) ?? '';
}
