import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface DocsPage {
  /** The Markdown file, relative to `web/`. */
  readonly source: string;
  readonly path: string;
  /** A program to show at the end of the page, relative to `web/`. */
  readonly program?: string;
  /** The page's name in the navigation. */
  readonly title: string;
}

const web = resolve(import.meta.dirname, '../../web');

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
    title: 'For the front desk',
    pages: [
      page('front-desk', 'Guide for the front desk'),
      page('front-desk-failed', 'Failed, returned, refunded'),
      page('front-desk-month', "The accountant's month"),
      page('front-desk-setup', 'Going live and getting help'),
    ],
  },
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
      page('test-in-ci', 'Test in CI'),
    ],
  },
  {
    title: 'API',
    pages: [
      page('sessions', 'Sessions'),
      page('webhooks', 'Webhooks'),
      page('events', 'Events'),
      page('payouts', 'Payouts'),
      page('webhook-endpoints', 'Webhook endpoints'),
      page('platforms', 'Platforms'),
      page('errors', 'Errors'),
      page('csv', 'CSV exports'),
      page('versions', 'Versions and limits'),
      page('changelog', 'Changelog'),
    ],
  },
  {
    title: 'Before you go live',
    pages: [page('ach-timing', 'ACH timing'), page('data', 'Data'), page('checklist', 'Checklist')],
  },
  {
    title: 'Run the service',
    pages: [
      page('deploy', 'Deploy'),
      page('operator-command', "The operator's command"),
      page('runbook', 'Runbook'),
      page('restore', 'Restore'),
      page('scale', 'Scale'),
      page('go-live', 'Go live'),
    ],
  },
];

export const menuPages = docsSections.flatMap(({ pages }) => pages);

/** For people who change the service: only other pages link to them. */
export const otherPages: readonly DocsPage[] = [
  { source: 'docs/decisions/README.md', path: '/docs/decisions', title: 'Decisions' },
  page('measured', 'Measured'),
  page('proof', 'Proof'),
];

/** Oldest first. Only the page that lists them links to them, or the menu would be all decisions. */
export const decisionPages = readdirSync(join(web, 'docs/decisions'))
  .filter((name) => /^\d{4}-/.test(name))
  .sort()
  .map(decisionPage);

/** Its address is only its number, because the viewer function holds every address and may have 10 KB. */
function decisionPage(name: string): DocsPage {
  const source = `docs/decisions/${name}`;
  const [heading = ''] = readFileSync(join(web, source), 'utf8').split('\n');
  return { source, path: `/docs/decisions/${name.slice(0, 4)}`, title: heading.replace('# ', '') };
}

export const docsPages = [...menuPages, ...otherPages, ...decisionPages];

/** The name of the page's file, without `.html`. */
export function docsName({ path }: Pick<DocsPage, 'path'>): string {
  return path.slice('/docs/'.length) || 'index';
}
