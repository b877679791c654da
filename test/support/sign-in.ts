import { CookieJar } from './http-request.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in as a browser would, and returns the `Cookie` header of the dashboard's session.
 * `start` is the path and query of the sign-in route.
 */
export async function signIn(
  dashboardUrl: string,
  credentials: Credentials,
  start = '/api/dashboard/sign-in',
): Promise<string> {
  const [dashboard, issuer] = [new CookieJar(), new CookieJar()];
  const begun = await dashboard.fetch(new URL(start, dashboardUrl));
  const callback = await submitCredentials(issuer, locationOf(begun), credentials, dashboardUrl);
  const ended = await dashboard.fetch(callback);
  if (ended.status >= 400) throw new Error(`the callback answered ${ended.status}: ${await ended.text()}`);
  return dashboard.header;
}

/** Goes from the issuer's authorization URL to the URL that it sends the browser back to. */
export async function submitCredentials(
  issuer: CookieJar,
  authorizationUrl: URL,
  { email, password }: Credentials,
  dashboardUrl: string,
): Promise<URL> {
  const dashboard = new URL(dashboardUrl).origin;
  if (authorizationUrl.origin === dashboard) throw new Error(`the sign-in did not begin: ${authorizationUrl.href}`);
  let url = authorizationUrl;
  for (let step = 0; step < 10; step++) {
    const response = await issuer.fetch(url);
    if (response.status === 200) {
      const submitted = await issuer.fetch(url, { method: 'POST', body: new URLSearchParams({ email, password }) });
      if (submitted.status === 403) throw new Error(`the issuer refused ${email}`);
      url = locationOf(submitted);
    } else url = locationOf(response);
    if (url.origin === dashboard) return url;
  }
  throw new Error('the issuer did not come back');
}

function locationOf(response: Response): URL {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.url} answered ${response.status} without a location`);
  return new URL(location, response.url);
}
