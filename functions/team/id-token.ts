import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { CustomFetch, ServerMetadata } from 'openid-client';
import * as z from 'zod/mini';
import { Fault } from '../domain/fault.ts';
import { clockSkew } from '../domain/team/sign-in.ts';
import { second } from '../domain/time.ts';

export interface User {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined if the issuer says that it is not verified, or if it has spaces or characters that do not print. */
  readonly email: string | undefined;
  readonly authenticatedAt: number | undefined;
}

export type VerifyIdToken = (idToken: unknown, nonce: string) => Promise<User>;

export function idTokenVerifier(server: ServerMetadata, clientId: string): VerifyIdToken {
  if (server.jwks_uri === undefined) throw new Fault('the issuer publishes no keys');
  const keys = createRemoteJWKSet(new URL(server.jwks_uri), { timeoutDuration: 4 * second });
  return async (idToken, nonce) => {
    const { payload } = await jwtVerify(z.parse(z.string(), idToken), keys, {
      issuer: server.issuer,
      audience: clientId,
      algorithms: [...(server.id_token_signing_alg_values_supported ?? ['RS256'])],
      clockTolerance: clockSkew / second,
      requiredClaims: ['exp', 'iat'],
    });
    return userOf(payload, { nonce, clientId });
  };
}

export const unverified = 'unverified_id_token';

/** openid-client refuses tokens whose `auth_time` is text. It gets the token under another name, and jose verifies it. */
export const fetchWithoutIdToken: CustomFetch = async (url, { body, ...options }) => {
  const response = await fetch(url, { ...options, body: body instanceof URLSearchParams ? body : null });
  const { data: tokens } = z.safeParse(
    z.looseObject({ id_token: z.string() }),
    await response
      .clone()
      .json()
      .catch(() => undefined),
  );
  if (!tokens) return response;
  const { id_token: idToken, ...others } = tokens;
  return Response.json({ ...others, [unverified]: idToken }, { status: response.status });
};

/** Some issuers send text. A time in milliseconds would be far in the future, and count as recent forever. */
const epochSeconds = z.union([
  z.number().check(z.nonnegative(), z.lt(1e10)),
  z.pipe(z.string().check(z.regex(/^\d{1,10}$/)), z.transform(Number)),
]);

const claims = z.object({
  iss: z.string(),
  sub: z.string().check(z.minLength(1)),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.optional(z.string()),
  nonce: z.string(),
  auth_time: z.catch(z.optional(epochSeconds), undefined),
  email: z.catch(z.optional(z.string().check(z.maxLength(254), z.regex(/^[^\p{C}\p{Z}]+$/u))), undefined),
  email_verified: z.optional(z.unknown()),
});

function userOf(received: unknown, expected: { readonly nonce: string; readonly clientId: string }): User {
  const { iss, sub, aud, azp, nonce, email_verified: verified, ...claimed } = z.parse(claims, received);
  if (nonce !== expected.nonce) throw new Fault('the ID token is for another sign-in');
  // OpenID Connect Core §3.1.3.7: if there are several audiences, `azp` names the authorized one.
  if (Array.isArray(aud) && aud.length > 1 && azp !== expected.clientId)
    throw new Fault('the ID token was issued to another client');
  return {
    issuer: iss,
    subject: sub,
    // Some issuers send text.
    email: verified === undefined || verified === true || verified === 'true' ? claimed.email : undefined,
    authenticatedAt: claimed.auth_time === undefined ? undefined : claimed.auth_time * second,
  };
}
