import service from '../../package.json' with { type: 'json' };
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { anchorOf } from '../../lib/docs/render.ts';
import { commands } from '../../bin/practice/program.ts';
import { flagOf } from '../../bin/practice/stack.ts';
import { processorDebit } from '../../functions/domain/payments/debit.ts';
import { accountEventTypes, debitEventTypes } from '../../functions/processors/stripe/event.ts';
import { decisions, docs, markdownIn, pageText, root, sectionOf } from './pages.ts';
import { docsSections } from '../../lib/docs/pages.ts';
import { outcomeWords, reasonWords } from '../../web/dashboard/session-words.ts';

function prose(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

function anchors(text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

describe.each(['README.md', ...docs, ...markdownIn('.github')])('%s', (page) => {
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

it('the README is at most 120 lines, and every page is linked from it, from integrate.md or among the decisions', () => {
  const readme = pageText('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  const linked = `${readme}${pageText('web/docs/integrate.md').replaceAll('](', '](web/docs/')}`;
  expect(docs.filter((page) => !decisions.includes(page) && !linked.includes(`](${page})`))).toEqual([]);
});

it('the decisions are numbered in order of age, no number twice, and listed as their files say', () => {
  const entries = decisions.map((page) => {
    const [, title, date, status] =
      /^# (.+)\n\n- \*\*Date:\*\* (\d{4}-\d\d-\d\d)\n- \*\*Status:\*\* (.+)\n/.exec(pageText(page)) ?? [];
    return { number: basename(page).slice(0, 4), title, file: basename(page), date, status };
  });
  const rows = entries.map(
    ({ number, title, file, date, status }) => `| ${number} | [${title}](${file}) | ${date} | ${status} |`,
  );
  const listed = pageText('web/docs/decisions/README.md')
    .split('\n')
    .filter((line) => /^\| \d/.test(line));
  expect(listed.sort()).toEqual(rows);
  expect(entries.filter(({ file }) => !/^\d{4}-/.test(file))).toEqual([]);
  expect(new Set(entries.map(({ number }) => number)).size).toBe(entries.length);
  const dates = entries.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted());
});

it('the changelog begins with the version of package.json', () => {
  const [, newest] = /^## \[(.+?)\]/m.exec(pageText('web/docs/changelog.md')) ?? [];
  expect(newest).toBe(service.version);
});

it('files that CONTRIBUTING names exist', () => {
  const named = [...pageText('.github/CONTRIBUTING.md').matchAll(/`([a-z.]+\/[^`<>*{ ]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
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

describe('for operators', () => {
  it("operator-command.md explains every command and option of the operator's command", () => {
    const page = pageText('web/docs/operator-command.md');
    expect(commands.size).toBeGreaterThan(20);
    for (const [name, { options }] of commands) {
      expect(page).toMatch(new RegExp(`\`${name}[ \`]`));
      for (const option of Object.keys(options)) expect(page).toContain(flagOf(option));
    }
    for (const option of ['--data', '--stack', '--json', '--help']) expect(page).toContain(option);
  });

  it('deploy.md lists the events that the endpoints at Stripe need', () => {
    const section = sectionOf(pageText('web/docs/deploy.md'), '## Stripe');
    const listed = [...section.matchAll(/`([a-z_]+\.[a-z_.]+)`/g)].map(([, type]) => type);
    expect(listed).toEqual([...debitEventTypes, ...accountEventTypes]);
  });

  it('runbook.md puts a lost row of ProcessorDebits back as our code reads it', () => {
    const section = sectionOf(pageText('web/docs/runbook.md'), '### UnknownDebits');
    const [, item = ''] = /--item \\\n *'([^']+)'/.exec(section) ?? [];
    const row = unmarshall(JSON.parse(item) as Record<string, AttributeValue>);
    expect(processorDebit.parse(row)).toEqual({ ...row, debit: { ...row['debit'], debitId: row['debitId'] } });
  });
});

const [first] = docsSections;
const texts = first?.pages.map(({ source }) => pageText(`web/${source}`)) ?? [];
const guide = texts.join('\n');

test('the docs begin with the pages for the front desk, which speak of nothing that only developers know', () => {
  expect(first?.title).toBe('For the front desk');
  expect(texts).toHaveLength(4);
  expect(guide.match(/npm|curl|\bAPI\b|JSON|endpoint|metadata|\b(evt|ses)_|\bsessions?\b(?! ID)/g)).toEqual(null);
});

test('the guide explains every status and every reason in the words of the dashboard', () => {
  const explained = [...guide.matchAll(/^\| (?:\*\*)?([^|*]+?)(?:\*\*)? \|/gm)].map(([, words]) => words);
  const statuses = Object.values(outcomeWords).filter((words) => words !== outcomeWords.opened);
  expect(explained).toEqual(expect.arrayContaining(statuses));
  expect(guide).toContain(`**${outcomeWords.opened}**`);
  const reasons = Object.values(reasonWords).map((words) => words.split(':')[0]);
  expect(explained).toEqual(expect.arrayContaining(reasons));
});
