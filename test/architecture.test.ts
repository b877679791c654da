import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Import {
  readonly path: string;
  readonly typeOnly: boolean;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const built = (path: string) => path.includes('/dist/');
const paths = globSync('{bin,functions,lib,web,test}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !built(path));
const files: SourceFile[] = paths.map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  const imports = [...statements].map(([, type, static_, dynamic]) => {
    const specifier = static_ ?? dynamic ?? '';
    return { path: specifier.startsWith('.') ? join(path, '..', specifier) : specifier, typeOnly: type !== undefined };
  });
  return { path, text, imports };
});
const sources = files.filter(({ path }) => !path.startsWith('test/'));
const isOwn = (path: string) => files.some((file) => file.path === path);

const entries = [
  'functions/practice-api/',
  'functions/patient-api/',
  'functions/dashboard-api/',
  'functions/processor-api/',
  'functions/triggers/',
];

const data = ['functions/domain/', 'functions/contract/'];
const aws = ['functions/aws-client.ts', 'functions/aws-failure.ts'];
const parts = [...data, 'functions/log.ts', 'functions/store/', 'functions/messages/', 'functions/processors/'];
const columns = ['sessions', 'payments', 'webhooks', 'practices', 'team'] as const;
type Column = (typeof columns)[number];
const useCases = [...columns.map((column) => `functions/${column}/`), 'functions/sweep/'];

/** Which columns a column may import on any floor; the README's table says the same. */
const below: Record<Column, readonly Column[]> = {
  sessions: ['payments'],
  payments: [],
  webhooks: [],
  practices: ['webhooks'],
  team: ['practices', 'sessions'],
};
/** Other imports that a column may make on one floor, with the reason. */
const besides: Record<string, string> = {
  'contract: payments → sessions': 'a payment says its payout, and its session may be unknown',
  'contract: sessions → webhooks': "the dashboard shows a session's deliveries",
  'contract: webhooks → sessions': 'events and deliveries carry the ID of a session',
  'contract: team → webhooks': 'Home shows endpoints in trouble',
  'domain: sessions → practices': 'the page shows the practice, and a session copies its settings',
  'domain: payments → sessions': 'an authorization and its evidence quote the session',
  'domain: payments → practices': 'an authorization and a bank statement name the practice',
  'domain: webhooks → sessions': "an event states a session's transition",
  'domain: webhooks → practices': 'an event states that a practice joined or left a platform',
  'store: sessions → webhooks': 'a transition writes its event in the same transaction',
  'store: sessions → team': 'a change by a person writes the audit log in the same transaction',
  'store: webhooks → team': 'a change by a person writes the audit log in the same transaction',
  'store: practices → team': 'a change by a person writes the audit log in the same transaction',
  'use cases: webhooks → practices': "changing an endpoint checks the practice and the operator's input",
  'use cases: webhooks → sessions': 'a list of events can be of one session',
  'use cases: practices → team': 'closing a practice removes its members and invitations',
};

const wiring = [
  'functions/aws-failure.ts',
  'functions/store/database.ts',
  'functions/store/dynamodb.ts',
  'functions/messages/queues.ts',
  'functions/messages/dead-letters.ts',
  'functions/messages/payments/locked-copy.ts',
  'functions/messages/practices/page-files.ts',
  'functions/messages/team/user-pool.ts',
];
/** The parts of `store` and `messages` that seed the demo. */
const seeding = [
  'functions/store/practices/api-keys.ts',
  'functions/store/practices/practices.ts',
  'functions/store/rows.ts',
];
/** A use case would only pass this on. */
const reading = ['functions/store/team/audit-log.ts'];

/** The longest prefix wins. A folder of entries may not import itself. */
const mayImport: Record<string, readonly string[]> = {
  'functions/domain/': [],
  'functions/contract/': ['functions/domain/'],
  'functions/aws-client.ts': ['functions/domain/'],
  'functions/aws-failure.ts': ['functions/domain/'],
  'functions/store/': [...data, ...aws, 'functions/log.ts'],
  'functions/messages/': [...data, ...aws, 'functions/log.ts'],
  'functions/viewer/': ['functions/domain/'],
  'functions/log.ts': data,
  'functions/environment.ts': data,
  'functions/processors/': [...parts, 'functions/environment.ts'],
  ...Object.fromEntries(useCases.map((folder) => [folder, [...parts, ...useCases]])),
  'functions/webhooks/': [...parts, ...useCases, 'functions/aws-client.ts'],
  'functions/http/': [...parts, 'functions/sessions/', 'functions/environment.ts', ...aws],
  ...Object.fromEntries(
    entries.map((entry) => [entry, [...parts, ...useCases, 'functions/environment.ts', 'functions/http/']]),
  ),
  'lib/': data,
  'lib/local/': data,
  'web/': ['functions/contract/'],
  'web/docs/': ['web/client/'],
  /** The client is a separate package. */
  'web/client/': [],
  'bin/': [...data, ...wiring, ...seeding, ...reading, ...useCases, 'lib/', 'lib/local/', 'web/client/'],
};

function ruleFor(path: string): string | undefined {
  return Object.keys(mayImport)
    .filter((prefix) => path.startsWith(prefix))
    .sort((left, right) => right.length - left.length)[0];
}

function placeOf(path: string): { floor: string; column: Column } | undefined {
  const [, first = '', second = ''] = /^functions\/(?:(\w+)\/)?(\w+)\/[^/]+$/.exec(path) ?? [];
  const column = columns.find((each) => each === second);
  const floor = first === '' ? 'use cases' : first;
  return column && ['use cases', 'store', 'messages', 'contract', 'domain'].includes(floor)
    ? { floor, column }
    : undefined;
}

describe('imports', () => {
  test.each(Object.entries(mayImport))('%s imports only what it may', (folder, others) => {
    const allowed = entries.includes(folder) ? others : [...others, folder];
    const own = sources.filter(({ path }) => ruleFor(path) === folder);
    expect(own.length).toBeGreaterThan(0);
    const strangers = own.flatMap(({ path, imports }) =>
      imports
        .filter(
          (each) => isOwn(each.path) && !allowed.includes(each.path) && !allowed.includes(ruleFor(each.path) ?? ''),
        )
        .map((each) => `${path} imports ${each.path}`),
    );
    expect(strangers).toEqual([]);
  });

  test('a column imports only the columns below it, or another for a reason', () => {
    const used = new Set(
      sources.flatMap(({ path, imports }) => {
        const from = placeOf(path);
        return imports.flatMap((each) => {
          const to = placeOf(each.path);
          if (!from || to?.floor !== from.floor || to.column === from.column) return [];
          return below[from.column].includes(to.column) ? [] : [`${from.floor}: ${from.column} → ${to.column}`];
        });
      }),
    );
    expect([...used].sort()).toEqual(Object.keys(besides).sort());
  });

  test('every file has a rule, and every import of our files resolves', () => {
    expect(sources.map(({ path }) => path).filter((path) => ruleFor(path) === undefined)).toEqual([]);
    const lost = files.flatMap(({ path, imports }) =>
      imports
        .filter((each) => /^(bin|functions|lib|web|test)\//.test(each.path) && !isOwn(each.path))
        .map((each) => `${path} imports ${each.path}`),
    );
    expect(lost).toEqual([]);
  });

  test('every AWS client in a function has the timeouts', () => {
    const clients = sources
      .filter(({ path }) => path.startsWith('functions/'))
      .flatMap(({ path, text }) => (text.match(/new \w+Client\(.*/g) ?? []).map((made) => `${path}: ${made}`));
    expect(clients.length).toBeGreaterThan(6);
    expect(clients.filter((made) => !/Client\((awsClient|\{ \.\.\.awsClient\b)/.test(made))).toEqual([]);
  });

  test('pages import only types from the contract', () => {
    const imports = sources
      .filter(({ path }) => path.startsWith('web/'))
      .flatMap(({ imports }) => imports.filter((each) => each.path.startsWith('functions/')));
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter(({ typeOnly }) => !typeOnly)).toEqual([]);
  });

  const importers = (name: string) => [
    ...new Set(
      sources
        .filter(({ path, imports }) => path.startsWith('functions/') && imports.some((each) => each.path === name))
        .map(({ path }) => path.split('/')[1]),
    ),
  ];

  test.each([
    ['@aws-sdk/client-dynamodb', ['store']],
    ['@aws-sdk/lib-dynamodb', []],
    ['@aws-sdk/client-dynamodb-streams', []],
    ['@aws-sdk/client-sqs', ['messages']],
    ['@aws-sdk/client-eventbridge', ['messages']],
    ['@aws-sdk/client-secrets-manager', ['messages']],
    ['@aws-sdk/client-sesv2', ['messages']],
    ['@aws-sdk/client-cognito-identity-provider', ['messages']],
    ['@aws-sdk/client-s3', ['messages']],
    ['@middy/core', ['http']],
    ['openid-client', ['team']],
    ['node:fs', []],
    ['node:fs/promises', []],
    ['node:child_process', []],
  ])('of the functions, %s is used only by %j', (name, folders) => {
    expect(importers(name)).toEqual(folders);
  });

  // test/permissions finds requests to DynamoDB by the tables that they name, not by their commands.
  test('only one file of the store uses DynamoDB commands', () => {
    const sending = sources.filter(({ path, text }) => path.startsWith('functions/store/') && /Command\b/.test(text));
    expect(sending.map(({ path }) => path)).toEqual(['functions/store/dynamodb.ts']);
  });

  test('only entries connect to the tables', () => {
    const connecting = sources.filter(
      ({ path, imports }) =>
        path.startsWith('functions/') &&
        imports.some((each) => each.path === 'functions/store/database.ts' && !each.typeOnly),
    );
    expect(connecting.length).toBeGreaterThan(0);
    expect(
      connecting.map(({ path }) => path).filter((path) => !entries.some((entry) => path.startsWith(entry))),
    ).toEqual([]);
  });

  test('only the environment, the log and the credentials read variables', () => {
    const readers = sources.filter(
      ({ path, text }) => /^(functions|lib)\/(?!local\/)/.test(path) && /\bprocess\s*\.\s*env\b/.test(text),
    );
    expect(readers.map(({ path }) => path).sort()).toEqual([
      'functions/environment.ts',
      'functions/log.ts',
      'lib/aws-sdk/environment-credentials.ts',
    ]);
  });

  test('the domain does no input or output', () => {
    const pure = ['zod/mini', 'node:crypto', 'node:net', 'node:zlib'];
    const packages = sources
      .filter(({ path }) => path.startsWith('functions/domain/'))
      .flatMap(({ imports }) => imports.filter((each) => !isOwn(each.path)).map((each) => each.path));
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter((name) => !pure.includes(name))).toEqual([]);
  });

  test('zod is imported as a namespace, from zod/mini in what is bundled', () => {
    for (const { path, text } of sources) {
      const entry = /^(functions|web)\//.test(path) ? 'zod/mini' : 'zod';
      for (const statement of text.match(/^import[^;]*'zod[^']*';$/gm) ?? [])
        expect([`import * as z from '${entry}';`, `import type * as z from '${entry}';`], path).toContain(statement);
    }
  });
});

describe('files', () => {
  test('the top level has the folders of the folder map', () => {
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
      .split('\n')
      .map((line) => line.replace(/\/$/, ''));
    const folders = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !ignored.includes(entry.name),
    );
    expect(
      folders
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('.'))
        .sort(),
    ).toEqual(['bin', 'functions', 'lib', 'test', 'web']);
  });

  test('file names are in kebab case', () => {
    expect(
      files.map(({ path }) => basename(path)).filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/.test(name)),
    ).toEqual([]);
  });

  test('nothing is exported by default', () => {
    expect(
      sources.filter(({ text }) => /^export default\b|\bas default\b/m.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  test('no file only re-exports others, except the entry point of the client package', () => {
    const barrels = sources
      .filter(({ path, text }) => basename(path).startsWith('index.') || /^export\s*(?:type\s*)?[{*]/m.test(text))
      .map(({ path }) => path);
    expect(barrels).toEqual(['web/client/index.ts']);
  });
});

test('a test file that needs a browser has the tag by which it is skipped without one', () => {
  const tests = files.filter(({ path }) => path.endsWith('.test.ts'));
  const needsBrowser = /\b(?:launchBrowser|use\w+OnDouble|useDashboardOn\w+)\(|\(\{[^}]*\bbrowser\b[^}]*\}\) =>/;
  const tagged = tests.filter(({ text }) => text.startsWith('// @module-tag browser\n'));
  expect(tests.filter(({ text }) => needsBrowser.test(text)).map(({ path }) => path)).toEqual(
    tagged.map(({ path }) => path),
  );
});

test('no file imports a test file, whose tests would run again, or not, as files share a process', () => {
  const importing = files.filter(({ text }) => /from '[^']+\.test\.tsx?'/.test(text)).map(({ path }) => path);
  expect(importing).toEqual([]);
});
