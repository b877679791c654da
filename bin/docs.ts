/** `npm run docs`: writes the docs' tables that come from the contract. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withGeneratedParts } from '../lib/docs/generated-parts.ts';
import { docsPages } from '../lib/docs/pages.ts';

const web = resolve(import.meta.dirname, '../web');
for (const { source } of docsPages) {
  const path = join(web, source);
  await writeFile(path, withGeneratedParts(await readFile(path, 'utf8')));
}
