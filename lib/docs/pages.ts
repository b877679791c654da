export interface DocsPage {
  /** The Markdown file, relative to `web/`. */
  readonly source: string;
  readonly path: string;
  /** A program to show at the end of the page, relative to `web/`. */
  readonly program?: string;
  /** The page's name in the navigation. */
  readonly title: string;
}

interface DocsSection {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}

function page(name: string, title: string): DocsPage {
  return { source: `docs/${name}.md`, path: `/docs/${name}`, title };
}

/** The navigation, in reading order. */
export const docsSections: readonly DocsSection[] = [
  {
    title: 'Get started',
    pages: [
      { source: 'docs/integrate.md', path: '/docs/', title: 'Quick start' },
      page('clients', 'Clients'),
      {
        source: 'docs/example/README.md',
        program: 'docs/example/practice.ts',
        path: '/docs/example',
        title: 'An example practice',
      },
      page('testing', 'Test users and simulation'),
    ],
  },
  {
    title: 'API',
    pages: [
      page('sessions', 'Sessions'),
      page('webhooks', 'Webhooks'),
      page('events', 'Events'),
      page('webhook-endpoints', 'Webhook endpoints'),
      page('errors', 'Errors'),
      page('versions', 'Versions and limits'),
    ],
  },
  {
    title: 'Before you go live',
    pages: [
      page('ach-timing', 'ACH timing'),
      page('data', 'Data minimization'),
      page('data-kept', 'What data is kept'),
      page('checklist', 'Checklist'),
    ],
  },
  {
    title: 'Run the service',
    pages: [
      page('operate', 'Operate'),
      page('restore', 'Restore'),
      page('go-live', 'Go live'),
      page('decisions', 'Decisions'),
      page('measured', 'Measured'),
    ],
  },
];

export const docsPages = docsSections.flatMap(({ pages }) => pages);

/** Not in the navigation. */
export const notFoundPage = { source: 'docs/site/not-found.md', path: '/docs/not-found', title: 'Page not found' };

/** The name of the page's file, without `.html`. */
export function docsName({ path }: Pick<DocsPage, 'path'>): string {
  return path.slice('/docs/'.length) || 'index';
}
