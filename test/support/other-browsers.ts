import { existsSync } from 'node:fs';
import { firefox, webkit, type Browser } from 'playwright-core';

const firefoxes = ['/usr/bin/firefox', '/usr/bin/firefox-esr', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** Drives the machine's Firefox by WebDriver BiDi, or `FIREFOX_PATH`. */
export async function launchFirefox(): Promise<Browser> {
  const executablePath = process.env['FIREFOX_PATH'] ?? firefoxes.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('No Firefox on this machine. Install one, or set FIREFOX_PATH.');
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath });
  try {
    await (await browser.newContext()).close();
    return browser;
  } catch (error) {
    const version = browser.version();
    await browser.close();
    throw new Error(
      `Firefox ${version} lacks a command that Playwright sends. Install a newer one, or set FIREFOX_PATH.`,
      {
        cause: error,
      },
    );
  }
}

/** Only Playwright's own build of WebKit can be driven. */
export async function launchWebkit(): Promise<Browser> {
  const executablePath = process.env['WEBKIT_PATH'] ?? webkit.executablePath();
  if (!existsSync(executablePath))
    throw new Error("No WebKit on this machine. Run 'npx playwright-core install webkit', or set WEBKIT_PATH.");
  return webkit.launch({ executablePath });
}
