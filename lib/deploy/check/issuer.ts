import * as z from 'zod';
import type { Issuer } from '../../constructs/sign-in.ts';
import { look, missing, ok, warning, type Finding } from './finding.ts';

export interface IssuerTools {
  /** Like `fetch`. */
  readonly get: (url: string, options: RequestInit) => Promise<Response>;
}

const names = z.array(z.string()).optional();
const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** OpenID Connect Discovery §3. */
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.unknown().optional(),
  token_endpoint: z.unknown().optional(),
  jwks_uri: z.unknown().optional(),
  response_types_supported: names,
  grant_types_supported: names,
  code_challenge_methods_supported: names,
  token_endpoint_auth_methods_supported: names,
  id_token_signing_alg_values_supported: names,
  scopes_supported: names,
  prompt_values_supported: names,
  claims_supported: names,
});

/** An absent field promises nothing, so it is not missing anything. */
const needed = [
  ['response_types_supported', /^code$/, 'the response type `code`'],
  ['grant_types_supported', /^authorization_code$/, 'the grant `authorization_code`'],
  ['code_challenge_methods_supported', /^S256$/, 'PKCE with `S256`'],
  [
    'token_endpoint_auth_methods_supported',
    /^client_secret_(basic|post)$/,
    'a client secret in the header or the form',
  ],
  ['id_token_signing_alg_values_supported', /^(RS|PS|ES)\d|^Ed/, 'ID tokens signed with a published key'],
] as const;

/** Reads what the issuer says about itself, as the sign-in does. */
export function checkIssuer({ get }: IssuerTools, { url }: Issuer): Promise<Finding[]> {
  const address = `${url.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const wrong = (text: string) => [missing(`Issuer: ${text} Correct -c oidcIssuer, or the issuer.`)];
  return look('Issuer', 'a connection to it', async () => {
    const answer = await get(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    if (answer.status !== 200) return wrong(`${address} answers ${answer.status} in place of the metadata.`);
    const { data: found } = metadata.safeParse(await answer.json().catch(() => undefined));
    if (!found) return wrong(`${address} is not the metadata of an issuer.`);
    if (!URL.canParse(found.issuer) || new URL(found.issuer).href !== new URL(url).href)
      return wrong(`${address} names another issuer, ${JSON.stringify(found.issuer)}. The two must be the same.`);
    const absent = endpoints.filter((name) => !z.url({ protocol: /^https$/ }).safeParse(found[name]).success);
    if (absent.length > 0) return wrong(`${address} has no https URL in ${absent.join(', ')}.`);
    const unsupported = needed.filter(([field, value]) => found[field]?.some((each) => value.test(each)) === false);
    if (unsupported.length > 0)
      return wrong(`it does not support ${unsupported.map(([, , feature]) => feature).join(', nor ')}.`);
    const lacks = (field: 'scopes_supported' | 'prompt_values_supported' | 'claims_supported', name: string) =>
      found[field]?.includes(name) === false;
    return [
      ok(`Issuer: ${address} has what the sign-in needs.`),
      ...(lacks('scopes_supported', 'email')
        ? [warning('Issuer: it has no scope `email`, so members have no address, and get no email.')]
        : []),
      ...(lacks('prompt_values_supported', 'login')
        ? [warning('Issuer: it does not know `prompt=login`, so it may refuse to confirm a sensitive change.')]
        : []),
      ...(lacks('claims_supported', 'auth_time')
        ? [warning('Issuer: it does not say when somebody signed in, so it may confirm a change without a password.')]
        : []),
    ];
  });
}
