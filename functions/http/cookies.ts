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

/** Of the begun sign-ins, all but the last four. API Gateway refuses requests whose headers exceed 10 kB. */
export function oldSignIns({ cookies = [] }: HttpRequest, dashboardUrl: string): Name[] {
  // Browsers send the oldest first.
  const begun = cookies.flatMap((cookie) => {
    const [, state] = /^(?:__Host-)?sign-in-([\w-]{43})=/.exec(cookie) ?? [];
    return state !== undefined && cookie.startsWith(nameOf(`sign-in-${state}`, dashboardUrl)) ? [state] : [];
  });
  return begun.slice(0, -4).map((state): Name => `sign-in-${state}`);
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
