import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { apiRoutes } from '../../functions/contract/routes.ts';
import { layout } from '../docs/layout.ts';
import { docsName, docsPages, menuPages, type DocsPage } from '../docs/pages.ts';
import { renderMarkdown, type RenderedPage } from '../docs/render.ts';

const web = resolve(import.meta.dirname, '../../web');
const errorsPath = '/docs/errors';

/** Renders the docs into `docs/` and `assets/` of `outdir`. */
export async function buildDocs(outdir: string): Promise<void> {
  const sources = join(web, 'docs/site');
  const [{ metafile }, diagram] = await Promise.all([
    build({
      absWorkingDir: sources,
      entryPoints: ['docs.ts', 'docs.css'],
      outdir: resolve(outdir),
      entryNames: 'assets/[name]-[hash]',
      bundle: true,
      minify: true,
      format: 'esm',
      target: ['chrome111', 'firefox113', 'safari16.4'],
      legalComments: 'none',
      metafile: true,
      logLevel: 'silent',
    }),
    readFile(join(sources, 'session-states.html'), 'utf8'),
  ]);
  const assets = Object.keys(metafile.outputs).map((path) => `/${relative(resolve(outdir), resolve(sources, path))}`);
  const assetOf = (ending: string) => assets.find((path) => path.endsWith(ending)) ?? '';
  const codes = problemCodes();
  await mkdir(join(outdir, 'docs/decisions'), { recursive: true });
  const pages = await Promise.all(
    docsPages.map(async (page) => {
      const rendered = renderMarkdown(await markdownOf(page), {
        resolve: (target) => addressOf(target, page),
        explains: (code) => (page.path !== errorsPath && codes.has(code) ? `${errorsPath}#${code}` : undefined),
        diagram,
      });
      return { page, rendered };
    }),
  );
  const searched = pages.filter(({ page }) => menuPages.includes(page));
  const index = JSON.stringify(searched.flatMap(({ page, rendered }) => searchEntries(page, rendered)));
  const indexPath = `assets/search-${createHash('sha256').update(index).digest('hex').slice(0, 8)}.json`;
  await writeFile(join(outdir, indexPath), index);
  const links = { style: assetOf('.css'), script: assetOf('.js'), index: `/${indexPath}` };
  await Promise.all(
    pages.map(({ page, rendered }) =>
      writeFile(join(outdir, `docs/${docsName(page)}.html`), layout(page, rendered, links)),
    ),
  );
}

async function markdownOf({ source, program }: DocsPage): Promise<string> {
  const markdown = await readFile(join(web, source), 'utf8');
  if (program === undefined) return markdown;
  const code = await readFile(join(web, program), 'utf8');
  return `${markdown}\n## The program\n\n\`\`\`ts ${basename(program)}\n${code}\`\`\`\n`;
}

/** Throws if the page links to a file that is not a page. */
function addressOf(target: string, page: DocsPage): string {
  if (/^(https:|#)/.test(target)) return target;
  const [file = '', anchor] = target.split('#');
  const source = posix.join(dirname(page.source), file);
  const found = docsPages.find((each) => each.source === source);
  if (found === undefined) throw new Error(`${page.source} links to ${target}, which is not among the docs.`);
  return anchor === undefined ? found.path : `${found.path}#${anchor}`;
}

function problemCodes(): ReadonlySet<string> {
  return new Set(Object.values(apiRoutes).flatMap(({ problems }) => Object.keys(problems)));
}

/** What the site's search can find: a heading with its text, or a table row that explains a code or a field. */
interface SearchEntry {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

function searchEntries({ path, title }: DocsPage, { html }: RenderedPage): SearchEntry[] {
  return html.split(/(?=<(?:h[1-6]|tr role="row") id=)/).flatMap((part) => {
    const [, id, ending] = /^<\S+(?: role="row")? id="([^"]+)">[^]*?(<\/h\d>|<\/td>)/.exec(part) ?? [];
    if (id === undefined || ending === undefined) return [];
    const end = part.indexOf(ending);
    // Leaves out the link to the heading itself.
    const heading = textOf(part.slice(0, end).replace(/<a class="anchor".*$/, ''));
    return [
      { path: part.startsWith('<h1') ? path : `${path}#${id}`, page: title, heading, text: textOf(part.slice(end)) },
    ];
  });
}

function textOf(html: string): string {
  return html
    .replace(/<\/?(?:a|code|em|span|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
