import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../lib/build/build.ts';
import service from '../../../package.json' with { type: 'json' };

const workflow = await readFile(join(root, '.github/workflows/deploy.yml'), 'utf8');
const all = (pattern: RegExp) => [...workflow.matchAll(pattern)].map(([, found = '']) => found);

test('the pipeline runs commands that exist', () => {
  const commands = all(/npm run -s ([\w:]+)/g);
  expect(commands).toEqual(['deploy', 'deploy:smoke', 'deploy:review', 'deploy:drift']);
  expect(Object.keys(service.scripts)).toEqual(expect.arrayContaining(commands));
});

test('the pipeline has no secret but the key of the smoke test, and its actions have a major version', () => {
  expect(all(/secrets\.(\w+)/g)).toEqual(['PAYMENTS_API_KEY']);
  for (const action of all(/uses: (\S+)/g)) expect(action).toMatch(/^(actions|aws-actions)\/[\w-]+@v\d+$/);
});

test('production is deployed after the sandbox worked and the review was read, from the same commit', () => {
  // A branch or a tag could have moved since. Without a ref, each job of a run checks out the run's own commit.
  expect(workflow).not.toMatch(/\bref:/);
  const jobs = workflow.slice(workflow.indexOf('\njobs:'));
  expect(all(/^ {4}needs: (\w+)/gm)).toEqual(['sandbox', 'review']);
  expect([...jobs.matchAll(/^ {4}environment: (.+)/gm)].map(([, name]) => name)).toEqual([
    'sandbox',
    'production-review',
    'production',
    '${{ matrix.environment }}',
  ]);
});
