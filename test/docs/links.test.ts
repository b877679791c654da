import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../lib/docs/anchor.ts';
import service from '../../package.json' with { type: 'json' };
import { docs, pageText, root, sectionOf } from './pages.ts';

function prose(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

function anchors(text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

describe.each(['README.md', ...docs])('%s', (page) => {
  const text = pageText(page);

  it('links only to files and headings that exist', () => {
    const targets = [...prose(text).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    const broken = targets
      .filter((target) => !target.startsWith('https://'))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? join(root, page) : join(root, dirname(page), path);
        if (!existsSync(file) || relative(root, file).startsWith('..')) return true;
        return anchor !== undefined && !anchors(readFileSync(file, 'utf8')).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const named = [...text.matchAll(/npm (?:run (?:-s )?([\w:]+)|(start|test))/g)].map(
      ([, run, plain]) => run ?? plain,
    );
    expect(named.filter((script) => !Object.keys(service.scripts).includes(script ?? ''))).toEqual([]);
  });
});

it('the README is at most 200 lines, and every page is linked from it or from integrate.md', () => {
  const readme = pageText('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  const linked = `${readme}${pageText('web/docs/integrate.md').replaceAll('](', '](web/docs/')}`;
  expect(docs.filter((page) => !linked.includes(`](${page})`))).toEqual([]);
});

it('a link to a heading that does not exist is found', () => {
  expect(anchors('# One\n\n```\n# Two\n```\n\n### What do I answer, and when?')).toEqual([
    'one',
    'what-do-i-answer-and-when',
  ]);
});

it("the README's folder map is complete, and lists no folder that does not exist", () => {
  const map = sectionOf(pageText('README.md'), '## Folders');
  const listed = map.split('\n').flatMap((line) => {
    const [names = ''] = /^(?: {2})?(?:[a-z-]+\/ ?)+/.exec(line) ?? [];
    return names
      .trim()
      .split(' ')
      .filter(Boolean)
      .map((name) => `${names.startsWith(' ') ? '  ' : ''}${name}`);
  });
  const paths = listed.map((name, index) => {
    const parent = listed.slice(0, index).findLast((earlier) => !earlier.startsWith(' ')) ?? '';
    return name.startsWith(' ') ? `${parent}${name.trim()}` : name;
  });
  const folders = (parent: string) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}${name}/`);
  const tops = ['bin/', 'lib/', 'functions/', 'web/', 'test/'];
  expect(paths.sort()).toEqual([...tops, ...['lib/', 'functions/', 'web/'].flatMap(folders)].sort());
});
