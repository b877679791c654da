import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium, firefox, webkit, type Browser } from 'playwright-core';
import { installedBrowser, shippedBrowser, whyNoBrowser } from './browser-path.ts';

const firefoxes = ['/usr/bin/firefox', '/usr/bin/firefox-esr', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** Drives the machine's Firefox, or `FIREFOX_PATH`, through WebDriver BiDi. */
async function launchFirefox(): Promise<Browser> {
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
async function launchWebkit(): Promise<Browser> {
  const executablePath = process.env['WEBKIT_PATH'] ?? webkit.executablePath();
  if (!existsSync(executablePath))
    throw new Error("No WebKit on this machine. Run 'npx playwright-core install webkit', or set WEBKIT_PATH.");
  return webkit.launch({ executablePath });
}

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Chromium prefers `CHROME_PATH`, then the machine's browser, then `@sparticuz/chromium`; `BROWSER` names another. */
export async function launchBrowser(
  options: { debuggingPort?: number; name?: string | undefined; flags?: readonly string[] } = {},
): Promise<Browser> {
  const { name = process.env['BROWSER'] } = options;
  if (name === 'firefox') return launchFirefox();
  if (name === 'webkit') return launchWebkit();
  const port = options.debuggingPort === undefined ? [] : [`--remote-debugging-port=${options.debuggingPort}`];
  const args = [...quiet, ...port, ...(options.flags ?? [])];
  const executablePath = installedBrowser();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args });
  const shipped = await unpackShippedBrowser();
  return chromium.launch({ ...shipped, args });
}

interface ShippedBrowser {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/** The package brings the font and libraries that a machine may lack. */
async function unpackShippedBrowser(): Promise<ShippedBrowser> {
  const missing = whyNoBrowser();
  if (missing !== undefined) throw new Error(missing);
  const caches = join(root, 'node_modules/.cache');
  const directory = join(caches, `chromium-${await shippedVersion()}`);
  if (!existsSync(directory)) {
    await mkdir(caches, { recursive: true });
    const staging = await mkdtemp(join(caches, 'chromium-'));
    await unpackInto(staging, directory);
    // If two test files unpack at once, the first one wins.
    await rename(staging, directory).catch(async (error: unknown) => {
      await rm(staging, { recursive: true, force: true });
      if (!existsSync(directory)) throw error;
    });
  }

  const executablePath = join(directory, 'chromium');
  const libraries = (await lacksLibraries(executablePath)) ? { LD_LIBRARY_PATH: join(directory, 'al2023/lib') } : {};
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    executablePath,
    env: { ...Object.fromEntries(inherited), FONTCONFIG_FILE: join(directory, 'fonts.conf'), ...libraries },
  };
}

async function shippedVersion(): Promise<string> {
  const manifest: { version: string } = JSON.parse(await readFile(join(shippedBrowser, 'package.json'), 'utf8'));
  return manifest.version;
}

/** The package unpacks into TMPDIR, and adds libraries only for Lambda. */
async function unpackInto(staging: string, directory: string): Promise<void> {
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
  await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  // The fonts.conf it ships names other directories.
  await writeFile(
    join(staging, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(directory, 'fonts')}</dir>
  <cachedir>${join(directory, 'font-cache')}</cachedir>
</fontconfig>
`,
  );
}

async function lacksLibraries(executablePath: string): Promise<boolean> {
  return run('ldd', [executablePath]).then(
    ({ stdout }) => stdout.includes('not found'),
    () => true,
  );
}
