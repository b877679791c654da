import type { DocsPage } from './pages.ts';
import type { RenderedPage } from './render.ts';

/** What the site's search knows about: a heading with its text, or a table's row that explains a code or a field. */
interface SearchEntry {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export function searchEntries({ path, title }: DocsPage, { html }: RenderedPage): SearchEntry[] {
  return html.split(/(?=<(?:h[1-6]|tr role="row") id=)/).flatMap((part) => {
    const [, id, ending] = /^<\S+(?: role="row")? id="([^"]+)">[^]*?(<\/h\d>|<\/td>)/.exec(part) ?? [];
    if (id === undefined || ending === undefined) return [];
    const end = part.indexOf(ending);
    // Without the link to the heading itself.
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
