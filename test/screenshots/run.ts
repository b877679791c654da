/**
 * Writes pictures and contact sheets into `.screenshots/`: of all, or `dashboard`, or `dashboard key-`, or `hosted-page owed`.
 * `--browser firefox` or `webkit` has sheets of its own.
 */
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../support/browser.ts';
import { shootDashboard } from './dashboard.ts';
import { shootHostedPage } from './hosted-page.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { browser: { type: 'string' } } });
const [part, chosen] = positionals;

const parts = [
  ['hosted-page', shootHostedPage],
  ['dashboard', shootDashboard],
] as const;
const browser = await launchBrowser({ name: values.browser }).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
const kind = browser.browserType().name();
const output = join(import.meta.dirname, '../../.screenshots', kind === 'chromium' ? '' : kind);
try {
  for (const [name, shoot] of parts) {
    if (part !== undefined && part !== name) continue;
    const directory = join(output, name);
    if (chosen === undefined) await rm(directory, { recursive: true, force: true });
    const { pictures, sheets } = await shoot(browser, directory, chosen);
    console.log(`${pictures} pictures of the ${name}. Look at:`);
    for (const sheet of sheets) console.log(`  ${relative(process.cwd(), sheet)}`);
  }
} finally {
  await browser.close();
}
