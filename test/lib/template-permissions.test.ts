import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tableVariables } from '../../functions/contract/environment.ts';
import { stageOf } from '../../lib/stage.ts';
import { callableActions } from '../permissions/callable.ts';
import { bundlesOf } from '../support/bundles.ts';
import { allowedActions } from '../support/permissions.ts';
import { at, roleOf, stages, target } from './stacks.ts';

/** Lambda's own, which polls the stream. */
const ofStreams = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

describe.each(stages)('the functions of the $stage stack', async ({ stage, resources, functions, bundleOf }) => {
  const { mode } = stageOf(stage);
  const callable = await callableActions(mode);
  const directory = await bundlesOf(mode);
  const fileOf = new Map(
    globSync('**/index.js', { cwd: directory }).map((path) => [
      readFileSync(`${directory}/${path}`, 'utf8'),
      path.slice(0, -'/index.js'.length),
    ]),
  );
  const granted = allowedActions({ Resources: Object.fromEntries(resources.map((each) => [each.id, each])) });
  const tableOf = new Map<string, string>();
  for (const [table, variable] of Object.entries(tableVariables))
    for (const { Properties } of functions) {
      const name = at(Properties, 'Environment', 'Variables', variable);
      if (name !== undefined) tableOf.set(target(name), table);
    }

  const roles = Map.groupBy(
    functions.map((each) => ({
      file: fileOf.get(readFileSync(bundleOf(each), 'utf8')) ?? each.id,
      role: roleOf(each),
      allowed: [...(granted.get(each.id) ?? [])].flatMap(actionOnTable),
    })),
    ({ role }) => role,
  );

  function actionOnTable(text: string): string[] {
    const [, action = '', id = '', index = ''] = /^dynamodb:(\w+) on (\w+)(.*)$/.exec(text) ?? [];
    if (action === '' || ofStreams.includes(action)) return [];
    return [`${action} on ${tableOf.get(id)}${index}`];
  }

  test('may make every request to DynamoDB that their code holds', () => {
    const refused = [...roles.values()]
      .flat()
      .flatMap(({ file, allowed }) =>
        [...(callable.get(file) ?? [])]
          .filter((action) => !allowed.includes(action))
          .map((action) => `${file} can call ${action}, but lib/ does not grant it: grant it, or do without the call`),
      );
    expect(refused).toEqual([]);
  });

  test('may make no other request to DynamoDB', () => {
    const unused = [...roles.values()].flatMap((sharing) => {
      const files = sharing.map(({ file }) => file);
      const used = new Set(files.flatMap((file) => [...(callable.get(file) ?? [])]));
      return (sharing[0]?.allowed ?? [])
        .filter((action) => !used.has(action))
        .map((action) => `no code of ${files.join(', ')} can call ${action}: remove the grant from lib/`);
    });
    expect(unused).toEqual([]);
  });
});
