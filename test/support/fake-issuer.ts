import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startServer } from './server.ts';
import { createIdentityProvider } from '../../lib/local/identity-provider.ts';
import { openHttpServer } from '../../lib/local/http-server.ts';
import { openUsers, type LocalUser } from '../../lib/local/user-pool.ts';

type Claims = Readonly<Record<string, unknown>>;

const [own, foreign] = [newKey(), newKey()];

/** Returns an ID token for any code, with the claims that the test sets. */
export async function startFakeIssuer({
  postOnly = false,
  signOut = false,
  metadata = {},
  stops = onTestFinished,
}: { postOnly?: boolean; signOut?: boolean; metadata?: object; stops?: typeof onTestFinished } = {}) {
  const client = { clientId: 'fake-client', clientSecret: 'fake-secret' };
  let told: Claims = {};
  let key = own;
  let issuer = '';
  const tokenRequests: { authorization: string | undefined; body: URLSearchParams }[] = [];

  const server = createServer((request, response) => {
    const json = (content: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    switch (new URL(request.url ?? '/', 'http://issuer').pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          ...(signOut && { end_session_endpoint: `${issuer}/sign-out` }),
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...(postOnly && { token_endpoint_auth_methods_supported: ['client_secret_post'] }),
          ...metadata,
        });
      case '/keys':
        return json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }] });
      case '/token':
        return void text(request).then((body) => {
          tokenRequests.push({ authorization: request.headers.authorization, body: new URLSearchParams(body) });
          const now = Math.floor(Date.now() / 1000);
          const usual = { iss: issuer, aud: client.clientId, sub: 'subject', iat: now, exp: now + 300 };
          json({ access_token: 'a', token_type: 'Bearer', id_token: signed({ ...usual, ...told }, key.privateKey) });
        });
      default:
        return response.writeHead(404).end();
    }
  });
  issuer = `http://127.0.0.1:${await startServer(server, stops)}`;

  return {
    ...client,
    issuer,
    tokenRequests,
    /** Claims for the next ID tokens, added to or replacing the usual ones. */
    tell(claims: Claims, { foreignKey = false } = {}) {
      told = claims;
      key = foreignKey ? foreign : own;
    },
  };
}

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function signed(claims: Claims, key: KeyObject): string {
  const part = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const content = `${part({ alg: 'RS256', kid: 'key' })}.${part(claims)}`;
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`;
}

interface TestIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  stop(): Promise<void>;
}

interface Options {
  readonly users: readonly Pick<LocalUser, 'email' | 'password'>[];
  readonly redirectUris: readonly string[];
  readonly port?: number;
}

/** Starts an issuer with the given users, whose subjects are the same at every start. */
export async function startIdentityProvider({ users, redirectUris, port = 0 }: Options): Promise<TestIdentityProvider> {
  const server = await openHttpServer(port, (line) => console.error(line));
  const client = { clientId: 'test-client', clientSecret: 'test-client-secret' };
  const issuer = `http://127.0.0.1:${server.port}`;
  const subjectOf = (email: string) => createHash('sha256').update(email).digest('hex');
  const kept = users.map((user) => ({ ...user, subject: subjectOf(user.email) }));
  server.serve(
    createIdentityProvider({
      issuer,
      ...client,
      redirectUris,
      logoutUris: [],
      users: openUsers({ users: () => kept, saveUser: () => undefined, deleteUser: () => undefined }),
    }),
  );
  return { issuer, ...client, stop: () => server.stop() };
}
