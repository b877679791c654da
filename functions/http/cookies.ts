import type { HttpRequest } from './request.ts';

/** `dashboard` is the session; a sign-in's cookie has its state and waits for the issuer's answer, so tabs do not share it. */
type Name = 'dashboard' | `sign-in-${string}`;

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

/** All begun sign-ins except the last four. API Gateway refuses requests whose headers exceed 10 kB. */
export function oldSignIns({ cookies = [] }: HttpRequest, dashboardUrl: string): Name[] {
  const named = new RegExp(`^${nameOf('sign-in-', dashboardUrl)}([\\w-]{43})=`);
  // Browsers send the oldest first.
  const states = cookies.flatMap((cookie) => named.exec(cookie)?.[1] ?? []);
  return states.slice(0, -4).map((state): Name => `sign-in-${state}`);
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
