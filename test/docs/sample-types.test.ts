import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { noPython } from '../support/python.ts';
import { pagesWithSamples, pageText, root, samplesIn } from './pages.ts';

const run = promisify(execFile);

it('samples in TypeScript compile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-sample-types-'));
  const typescript = pagesWithSamples.flatMap((page) =>
    samplesIn(pageText(`web/docs/${page}.md`)).filter(({ language }) => language === 'ts'),
  );
  for (const [index, { name, text }] of typescript.entries())
    await writeFile(join(folder, name ?? `sample-${index}.ts`), `${text}\nexport {};\n`);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'es2024',
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    paths: { 'patient-invoice-payment-client': [join(root, 'web/client/index.ts')] },
  };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.mts'] }));
  const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: unknown) => error as { stdout: string },
  );
  await rm(folder, { recursive: true });
  expect(stdout).toBe('');
});

it('samples in Python are of the version that the pages name', { skip: noPython }, () => {
  const oldest = /requires-python = ">=(3)\.(\d+)"/.exec(pageText('web/client-python/pyproject.toml'))?.slice(1) ?? [];
  for (const page of ['integrate', 'webhooks'])
    expect(pageText(`web/docs/${page}.md`)).toContain(`Python ${oldest.join('.')} or later`);
  const texts = pagesWithSamples.flatMap((page) =>
    samplesIn(pageText(`web/docs/${page}.md`)).flatMap(({ language, text }) => (language === 'python' ? [text] : [])),
  );
  const parse = `import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text, feature_version=(${oldest.join()}))`;
  const parsed = spawnSync('python3', ['-c', parse], { input: JSON.stringify(texts), encoding: 'utf8' });
  expect([parsed.status, parsed.stderr]).toEqual([0, '']);
});
