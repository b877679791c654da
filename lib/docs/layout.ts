import { type RenderedPage, escape } from './render.ts';
import { decisionPages, docsSections, menuPages, type DocsPage } from './pages.ts';

interface LayoutOptions {
  readonly style: string;
  readonly script: string;
  /** The URL of the search index. */
  readonly index: string;
}

export function layout(
  page: DocsPage,
  { html, contents }: RenderedPage,
  { style, script, index }: LayoutOptions,
): string {
  const nav = navigation(page);
  const items = contents.map(({ id, html: text }) => `<li><a href="#${id}">${text}</a></li>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(page.title)} – Patient Invoice Payment Service docs</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="home" href="/docs/">Patient Invoice Payment Service <span>docs</span></a>
<form class="search" role="search" data-index="${index}" hidden>
<input type="search" aria-label="Search the docs" placeholder="Search (press /)" autocomplete="off" spellcheck="false">
<div><p role="status"></p><ul aria-label="Results"></ul></div>
</form>
<details class="menu"><summary>Menu</summary><nav aria-label="Docs">${nav}</nav></details>
</header>
<div class="columns">
<nav class="side" aria-label="Docs">${nav}</nav>
<main id="content" tabindex="-1">
${html}
${neighbors(page)}
</main>
${contents.length > 1 ? `<nav class="contents" aria-labelledby="contents"><p id="contents">On this page</p><ul>${items}</ul></nav>` : ''}
</div>
</body>
</html>
`;
}

const elsewhere =
  '<p>Elsewhere</p><ul><li><a href="/openapi.json">OpenAPI document</a></li><li><a href="/">Dashboard</a></li></ul>';

function navigation(current: DocsPage): string {
  const sections = docsSections
    .map(({ title, pages }) => {
      const links = pages.map((page) => {
        return `<li><a href="${page.path}"${currentness(page, current)}>${page.title}</a></li>`;
      });
      return `<p>${title}</p><ul>${links.join('')}</ul>`;
    })
    .join('');
  return `${sections}${elsewhere}`;
}

function currentness(page: DocsPage, current: DocsPage): string {
  return page === current ? ' aria-current="page"' : '';
}

function neighbors(page: DocsPage): string {
  const pages = decisionPages.includes(page) ? decisionPages : menuPages;
  const index = pages.indexOf(page);
  if (index === -1) return '';
  const link = (other: DocsPage | undefined, label: string, className: string) =>
    other === undefined
      ? ''
      : `<a class="${className}" href="${other.path}"><span>${label}</span> ${escape(other.title)}</a>`;
  return `<nav class="neighbors" aria-label="Previous and next page">${link(pages[index - 1], 'Previous', 'previous')}${link(pages[index + 1], 'Next', 'next')}</nav>`;
}
