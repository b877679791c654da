/** The team's own OpenID Connect issuer, used instead of a user pool. */
export interface Issuer {
  readonly url: string;
  readonly clientId: string;
}

/** Throws if only one of the settings is given, or if the issuer is not https. */
export function issuerOf(url: string | undefined, clientId: string | undefined): Issuer | undefined {
  if (url === undefined && clientId === undefined) return undefined;
  if (!url || !clientId || !URL.canParse(url) || !/^https:\/\/[^?#]+$/.test(url))
    throw new Error(
      'Your own issuer needs both -c oidcIssuer=https://login.example.com, without query or fragment, and -c oidcClientId=….',
    );
  return { url, clientId };
}
