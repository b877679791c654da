import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export const shippedBrowser = resolve(import.meta.dirname, '../../node_modules/@sparticuz/chromium');

const systemBrowsers = [
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  ...['/Applications', join(homedir(), 'Applications')].flatMap((folder) => [
    join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome'),
    join(folder, 'Chromium.app/Contents/MacOS/Chromium'),
    join(folder, 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'),
  ]),
];

export function installedBrowser(): string | undefined {
  return process.env['CHROME_PATH'] ?? systemBrowsers.find((path) => existsSync(path));
}

/** Undefined if there is a browser. */
export function whyNoBrowser(): string | undefined {
  const { BROWSER: other = 'chromium' } = process.env;
  if (other !== 'chromium' || installedBrowser() !== undefined) return undefined;
  const { platform, arch } = process;
  if (platform !== 'linux' || arch !== 'x64')
    return `The tests ship a browser for Linux on x64 only. Install Chrome, or set CHROME_PATH to a Chromium for ${platform} on ${arch}.`;
  return existsSync(shippedBrowser) ? undefined : 'Run npm ci, which installs a Chromium, or set CHROME_PATH to one.';
}

/** Why tests with the tag `browser` cannot run here. In CI they fail instead. */
export const noBrowser = process.env['CI'] ? undefined : whyNoBrowser();

/** Global setup. */
export default function tellSkipped(): void {
  if (noBrowser !== undefined) console.log(`Skipping the tests that need a browser. ${noBrowser}`);
}
