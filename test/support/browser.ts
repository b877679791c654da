import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

const systemBrowsers = [
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Starts a headless browser: `CHROME_PATH`, else the machine's own, else the one that `@sparticuz/chromium` ships; with a debugging port where somebody else drives it too. */
export async function launchBrowser(options: { debuggingPort?: number } = {}): Promise<Browser> {
  const args =
    options.debuggingPort === undefined ? quiet : [...quiet, `--remote-debugging-port=${options.debuggingPort}`];
  const executablePath = process.env['CHROME_PATH'] ?? systemBrowsers.find((path) => existsSync(path));
  if (executablePath !== undefined) return chromium.launch({ executablePath, args });
  const shipped = await unpackShippedBrowser();
  return chromium.launch({ ...shipped, args });
}

export interface ShippedBrowser {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/**
 * Unpacks the shipped browser into a cache beside the package, once for all test files, and says with which environment it runs:
 * its shared libraries where the machine lacks one of them, and its font.
 */
export async function unpackShippedBrowser(): Promise<ShippedBrowser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'The browser tests ship a browser for Linux on x64 only: install Chrome, or set CHROME_PATH to one.',
    );
  }
  const caches = join(root, 'node_modules/.cache');
  const directory = join(caches, `chromium-${await shippedVersion()}`);
  if (!existsSync(directory)) {
    await mkdir(caches, { recursive: true });
    const staging = await mkdtemp(join(caches, 'chromium-'));
    await unpackInto(staging, directory);
    // Of two test files that unpack at the same time the first one wins; a directory is never seen half full.
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
  const manifest: { version: string } = JSON.parse(
    await readFile(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  );
  return manifest.version;
}

/** The package unpacks into the temporary directory and, where it believes to be in a Lambda function, its libraries too: so it is told both. */
async function unpackInto(staging: string, directory: string): Promise<void> {
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
  await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  // The fonts.conf it ships names other places than this one.
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
