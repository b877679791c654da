import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
  type ClientAuth,
  type Configuration,
} from 'openid-client';
import * as z from 'zod/mini';
import { signInRoutes } from '../contract/team/dashboard-sign-in.ts';
import { longestSession } from '../domain/team/dashboard-session.ts';
import { sha256 } from '../domain/identifier.ts';
import { clockSkew, type SignIn } from '../domain/team/sign-in.ts';
import { second, toEpochSeconds } from '../domain/time.ts';
import { logFault } from '../log.ts';
import type { ReadSecret } from '../messages/secrets.ts';

interface IssuerOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly readSecret: ReadSecret;
  readonly dashboardUrl: string;
}

type Secrets = Pick<SignIn, 'state' | 'nonce' | 'codeVerifier'>;

interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined if the issuer says that it is not verified, or if it has spaces or characters that do not print. */
  readonly email: string | undefined;
  readonly authenticatedAt: number | undefined;
}

export interface Issuer {
  authorizationUrl(secrets: Secrets, again: boolean): Promise<string>;
  /** `query` is the query of the callback request. */
  identify(query: string, secrets: Secrets): Promise<Identity | 'refused' | 'failed'>;
  /** Undefined if the issuer has no sign-out page. */
  signOutUrl(): Promise<string | undefined>;
}

/** Connects any OpenID Connect issuer. Reads its configuration once per execution environment. */
export function connectIssuer(options: IssuerOptions): Issuer {
  const callbackUrl = new URL(signInRoutes.finishSignIn.path, options.dashboardUrl);
  const homeUrl = new URL('/', options.dashboardUrl).href;
  let discovering: Promise<Configuration> | undefined;

  async function configuration(): Promise<Configuration> {
    try {
      return await (discovering ??= discover(options));
    } catch (error) {
      discovering = undefined;
      throw error;
    }
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }, again) {
      const { href } = buildAuthorizationUrl(await configuration(), {
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

    async identify(query, { state, nonce, codeVerifier }) {
      const url = new URL(callbackUrl);
      url.search = query;
      const issuer = await configuration();
      try {
        const tokens = await authorizationCodeGrant(issuer, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return identityOf(tokens.claims());
      } catch (error) {
        if (error instanceof AuthorizationResponseError) return 'refused';
        logFault('the issuer gave no valid token', error, { code: codeOf(error) });
        return 'failed';
      }
    },

    async signOutUrl() {
      const issuer = await configuration();
      if (issuer.serverMetadata().end_session_endpoint === undefined) return undefined;
      // Cognito calls the parameter `logout_uri`.
      return buildEndSessionUrl(issuer, { post_logout_redirect_uri: homeUrl, logout_uri: homeUrl }).href;
    },
  };
}

async function discover({ issuer, clientId, readSecret }: IssuerOptions): Promise<Configuration> {
  const url = new URL(issuer);
  return discovery(
    url,
    clientId,
    { [clockTolerance]: clockSkew / second },
    authentication(await readSecret()),
    // Only the local issuer has no TLS.
    { execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])], timeout: 4 },
  );
}

/** OpenID Connect Core §9: `client_secret_basic`, unless the issuer supports only `client_secret_post`. */
function authentication(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (issuer, ...rest) => {
    const methods = issuer.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(issuer, ...rest);
  };
}

const claims = z.object({
  iss: z.string(),
  sub: z.string().check(z.minLength(1)),
  auth_time: z.optional(z.number()),
  email: z.catch(z.optional(z.string().check(z.maxLength(254), z.regex(/^[^\p{C}\p{Z}]+$/u))), undefined),
  email_verified: z.catch(z.optional(z.boolean()), undefined),
});

function identityOf(received: unknown): Identity {
  const { iss, sub, auth_time: authTime, email, email_verified: isVerified } = z.parse(claims, received);
  return {
    issuer: iss,
    subject: sub,
    email: isVerified === false ? undefined : email,
    authenticatedAt: authTime === undefined ? undefined : authTime * second,
  };
}

/** Only codes from closed lists: the issuer's free text is never logged. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof ResponseBodyError) return error.error;
  return error instanceof ClientError ? error.code : undefined;
}
