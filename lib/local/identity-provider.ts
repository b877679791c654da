import { generateKeyPair, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Provider, Adapter, AdapterPayload } from 'oidc-provider';
import { errorPage, signedOutPage, signInPage, signOutPage } from './sign-in-pages.ts';
import type { Users } from './user-pool.ts';

interface Options {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly logoutUris: readonly string[];
  readonly users: Users;
}

const signInPath = /^\/sign-in\/[\w-]+$/;
const [minute, day] = [60, 24 * 60 * 60];

/** Serves an OpenID Connect issuer with a sign-in page, in place of Cognito. */
export function createIdentityProvider(options: Options) {
  // Started on the first request, because few runs of the stack need it.
  let loading: Promise<Provider> | undefined;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const provider = await (loading ??= load(options));
    if (signInPath.test(request.url ?? '')) await serveSignIn(provider, options.users, request, response);
    else await provider.callback()(request, response);
  };
}

async function load({ issuer, clientId, clientSecret, redirectUris, logoutUris, users }: Options): Promise<Provider> {
  const [{ Provider }, { privateKey }] = await Promise.all([
    import('oidc-provider'),
    promisify(generateKeyPair)('rsa', { modulusLength: 2048 }),
  ]);
  return new Provider(issuer, {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...logoutUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        require_auth_time: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')], names: { session: 'issuer_session' } },
    pkce: { required: () => true },
    scopes: ['openid', 'email'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // Cognito puts the email address into the ID token too.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context, form) => {
          context.body = signOutPage(form);
        },
        postLogoutSuccessSource: (context) => {
          context.body = signedOutPage();
        },
      },
    },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    findAccount: (_context, subject) => {
      const user = users.bySubject(subject);
      return user && { accountId: subject, claims: () => ({ sub: subject, email: user.email, email_verified: true }) };
    },
    loadExistingGrant: async ({ oidc: { client, session, provider } }) => {
      if (!client || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    renderError: (context, { error, error_description: description }) => {
      context.type = 'html';
      context.body = errorPage(`${error}: ${description ?? ''}`);
    },
    ttl: {
      AccessToken: 10 * minute,
      AuthorizationCode: minute,
      IdToken: 10 * minute,
      Interaction: 60 * minute,
      Session: day,
      Grant: day,
    },
  });
}

async function serveSignIn(
  provider: Provider,
  users: Users,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const details = await provider.interactionDetails(request, response).catch(() => undefined);
  if (!details) {
    response
      .writeHead(400, { 'content-type': 'text/html; charset=utf-8' })
      .end(errorPage('This sign-in has expired. Go back to the dashboard and start again.'));
    return;
  }
  const hint = details.params['login_hint'];
  let email = typeof hint === 'string' ? hint : '';
  let failed = false;
  if (request.method === 'POST') {
    const form = new URLSearchParams(await textOf(request));
    email = form.get('email') ?? '';
    const user = users.byEmail(email);
    if (user && user.password === form.get('password')) {
      await provider.interactionFinished(request, response, { login: { accountId: user.subject } });
      return;
    }
    failed = true;
  }
  response
    .writeHead(failed ? 403 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    .end(signInPage({ email, failed }));
}

/** What the identity provider stores, in memory: a restart only asks users to sign in again. */
function memoryAdapter(): (model: string) => Adapter {
  const rows = new Map<string, { readonly payload: AdapterPayload; readonly expiresAt: number }>();
  const prune = () => {
    for (const [key, { expiresAt }] of rows) if (expiresAt < Date.now()) rows.delete(key);
  };

  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const live = (isWanted: (payload: AdapterPayload, key: string) => boolean) =>
      [...rows].find(
        ([key, { payload, expiresAt }]) =>
          key.startsWith(keyOf('')) && expiresAt >= Date.now() && isWanted(payload, key),
      )?.[1].payload;
    return {
      upsert: async (id, payload, expiresIn) => {
        prune();
        rows.set(keyOf(id), { payload, expiresAt: Date.now() + (expiresIn ?? Infinity) * 1000 });
      },
      find: async (id) => live((_payload, key) => key === keyOf(id)),
      findByUid: async (uid) => live((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => live((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const row = rows.get(keyOf(id));
        if (row) row.payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void rows.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of rows) if (payload.grantId === grantId) rows.delete(key);
      },
    };
  };
}
