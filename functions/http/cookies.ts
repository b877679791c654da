import type { HttpRequest } from './request.ts';

/** `dashboard` is the session; `sign-in` waits for the issuer's answer. */
type Name = 'dashboard' | 'sign-in';

/** Over http, which only the local stack uses, browsers reject the prefix and `Secure`. */
function isSecure(dashboardUrl: string): boolean {
  return dashboardUrl.startsWith('https:');
}

function nameOf(name: Name, dashboardUrl: string): string {
  return isSecure(dashboardUrl) ? `__Host-${name}` : name;
}

export function readCookie({ cookies = [] }: HttpRequest, name: Name, dashboardUrl: string): string | undefined {
  const start = `${nameOf(name, dashboardUrl)}=`;
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}

/** Without a maximum age, the cookie ends with the browser session. */
export function setCookie(name: Name, value: string, dashboardUrl: string, maximumAgeSeconds?: number): string {
  return [
    `${nameOf(name, dashboardUrl)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(dashboardUrl) ? ['Secure'] : []),
    ...(maximumAgeSeconds === undefined ? [] : [`Max-Age=${maximumAgeSeconds}`]),
  ].join('; ');
}

export function clearCookie(name: Name, dashboardUrl: string): string {
  return setCookie(name, '', dashboardUrl, 0);
}
