import { errors } from 'jose';
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  ResponseBodyError,
  type ClientAuth,
} from 'openid-client';
import { signInRoutes } from '../contract/team/dashboard-sign-in.ts';
import { longestSession, type SignIn } from '../domain/team/sign-in.ts';
import { sha256 } from '../domain/identifier.ts';
import { toEpochSeconds } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import type { ReadSecret } from '../messages/secrets.ts';
import { fetchWithoutIdToken, idTokenVerifier, unverified, type User } from './id-token.ts';

interface IssuerOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly readSecret: ReadSecret;
  readonly dashboardUrl: string;
}

type Secrets = Pick<SignIn, 'state' | 'nonce' | 'codeVerifier'>;

interface Identity extends User {
  /** Whether the issuer lists the claims it knows, and `auth_time` is not one of them. */
  readonly cannotTellWhen: boolean;
}

export type Issuer = ReturnType<typeof connectIssuer>;

/** Connects any OpenID Connect issuer. Reads its configuration once per execution environment. */
export function connectIssuer(options: IssuerOptions) {
  const callbackUrl = new URL(signInRoutes.finishSignIn.path, options.dashboardUrl);
  const homeUrl = new URL('/', options.dashboardUrl).href;
  let discovering: Promise<Connection> | undefined;

  async function connection(): Promise<Connection> {
    try {
      return await (discovering ??= discover(options));
    } catch (error) {
      discovering = undefined;
      throw error;
    }
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }: Secrets, again: boolean) {
      const { href } = buildAuthorizationUrl((await connection()).configuration, {
        redirect_uri: callbackUrl.href,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: sha256(codeVerifier),
        code_challenge_method: 'S256',
        // An issuer that is asked for `max_age` must answer with `auth_time`. Cognito honors only `prompt`.
        max_age: String(again ? 0 : toEpochSeconds(longestSession)),
        ...(again && { prompt: 'login' }),
      });
      return href;
    },

    /** `query` is the query of the callback request. */
    async identify(query: string, { state, nonce, codeVerifier }: Secrets): Promise<Identity | 'refused' | 'failed'> {
      const url = new URL(callbackUrl);
      url.search = query;
      const { configuration, verify, cannotTellWhen } = await connection();
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          pkceCodeVerifier: codeVerifier,
        });
        return { ...(await verify(tokens[unverified], nonce)), cannotTellWhen };
      } catch (error) {
        if (error instanceof AuthorizationResponseError) return 'refused';
        const code = codeOf(error);
        // Anybody can begin a sign-in and come back with a made-up answer. That is not our error.
        if (code === 'OAUTH_INVALID_RESPONSE' || code === 'invalid_grant')
          logInfo('the issuer gave no valid token', { code });
        else logFault('the issuer gave no valid token', error, { code });
        return 'failed';
      }
    },

    /** Undefined if the issuer has no sign-out page. */
    async signOutUrl() {
      const { configuration } = await connection();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      // Cognito calls the parameter `logout_uri`.
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: homeUrl, logout_uri: homeUrl }).href;
    },
  };
}

type Connection = Awaited<ReturnType<typeof discover>>;

async function discover({ issuer, clientId, readSecret }: IssuerOptions) {
  const url = new URL(issuer);
  const configuration = await discovery(url, clientId, undefined, authentication(await readSecret()), {
    // Only the local issuer has no TLS.
    execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
    timeout: 4,
    [customFetch]: fetchWithoutIdToken,
  });
  const server = configuration.serverMetadata();
  return {
    configuration,
    verify: idTokenVerifier(server, clientId),
    cannotTellWhen: server.claims_supported?.includes('auth_time') === false,
  };
}

/** OpenID Connect Core §9: `client_secret_basic`, unless the issuer supports only `client_secret_post`. */
function authentication(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (issuer, ...rest) => {
    const methods = issuer.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(issuer, ...rest);
  };
}

/** Returns only codes from closed lists: the issuer's free text is never logged. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof ResponseBodyError) return error.error;
  return error instanceof ClientError || error instanceof errors.JOSEError ? error.code : undefined;
}
