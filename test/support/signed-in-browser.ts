import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

/** `cookie` is the `Cookie` header of a dashboard's session; without one, nobody is signed in. */
export async function signedInContext(
  browser: Browser,
  { dashboardUrl, cookie = '' }: { readonly dashboardUrl: string; readonly cookie?: string },
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', ...options });
  for (const pair of cookie.split('; ').filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=');
    await context.addCookies([{ name, value, url: dashboardUrl, httpOnly: true, sameSite: 'Lax' }]);
  }
  return context;
}
