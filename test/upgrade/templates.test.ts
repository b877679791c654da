import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../lib/deploy/review/words.ts';
import { settingsOf } from '../../lib/settings/settings.ts';
import type { StageName } from '../../lib/settings/stage.ts';
import { apps } from '../support/apps.ts';
import { appTemplate } from '../support/built.ts';
import { changesBetween, comparable, refusals, type Resources } from './compare.ts';
import { releasedResources, releases } from './templates.ts';

const current: Record<StageName, Resources> = {
  sandbox: comparable((await appTemplate('app-sandbox')) as { Resources: Resources }),
  production: comparable((await appTemplate('app-production')) as { Resources: Resources }),
};

const released = (await readdir(releases)).flatMap((version) => [
  { version, stage: 'sandbox' as const },
  { version, stage: 'production' as const },
]);

for (const { version, stage } of released)
  test(`the ${stage} stack of ${version} can be upgraded in one deploy`, async ({ annotate }) => {
    const before = await releasedResources(version, stage);
    expect(Object.keys(before).length).toBeGreaterThan(100);
    await annotate(wordsOf(changesBetween(before, current[stage])).join('\n'));
    expect(refusals(before, current[stage])).toEqual([]);
  });

test('production is compared with every setting that adds something', () => {
  const { 'app-production': production } = apps;
  const known = new Set<string>();
  settingsOf((key) => {
    known.add(key);
    return new Map(Object.entries<string>(production)).get(key);
  }, 'us-east-1');
  const changing = ['chargeType', 'originSecret', 'protect', 'stripeApiBase', 'stripeScriptUrl'];
  const words = ['operatorAddress'];
  // Settings that replace what we create.
  const givenByTeam = ['oidcClientId', 'oidcIssuer', 'webAcl'];
  expect([...known].filter((key) => !Object.hasOwn(production, key)).sort()).toEqual(
    [...changing, ...words, ...givenByTeam].sort(),
  );
});

describe('an upgrade is refused that', () => {
  const before = current.production;
  const idOf = (name: string) => {
    const found = Object.keys(before).find((id) => id.replace(/[0-9A-F]{8}$/, '') === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  /** A release that differs. */
  const changed = (name: string, properties: object): Resources => {
    const id = idOf(name);
    const { [id]: resource } = before;
    return { ...before, [id]: { Type: '', ...resource, Properties: { ...resource?.Properties, ...properties } } };
  };
  const without = (name: string): Resources => {
    const { [idOf(name)]: _, ...rest } = before;
    return rest;
  };

  test.each([
    'DataSessions',
    'EvidenceArchiveBucket',
    'SignInUserPool',
    'PagesHttpApi',
    'HostedPageDistribution',
    'DataKey',
  ])('drops or renames %s', (prefix) => {
    expect(refusals(before, without(prefix)).join('\n')).toContain(idOf(prefix));
  });

  test.each([
    ['DataSessions', { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }],
    ['SignInUserPool', { UsernameAttributes: ['phone_number'] }],
    ['PagesHttpApi', { ProtocolType: 'WEBSOCKET' }],
    ['DashboardAccessLogSource', { Name: 'Renamed' }],
  ])('replaces %s', (prefix, properties) => {
    expect(refusals(before, changed(prefix, properties))).toEqual([
      expect.stringContaining(`${idOf(prefix)}: replace`),
    ]);
  });

  test('removes a route, or gives it a function that the role of the old one may not call', () => {
    expect(refusals(before, without('PagesApiGetSession'))).toEqual([
      expect.stringContaining('GET /api/patient/session: removed'),
    ]);
    const moved = changed('PagesApiGetSessionIntegration', {
      IntegrationUri: { 'Fn::GetAtt': ['NewFunction', 'Arn'] },
    });
    expect(refusals(before, moved)).toEqual([expect.stringContaining('answers 500 until')]);
  });

  test('sends a page to an API that it creates', () => {
    const api = { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } };
    const after = { ...changed('HostedPageDistribution', { apis: ['NewApi'] }), NewApi: api };
    expect(refusals(before, after)).toEqual([expect.stringContaining('calls an API that only this release creates')]);
    // The previous release created it.
    expect(refusals({ ...before, NewApi: api }, after)).toEqual([]);
  });

  test('changes more than one index of a table', () => {
    const indexes = before[idOf('DataSessions')]?.Properties?.['GlobalSecondaryIndexes'] as object[];
    const withIndexes = (GlobalSecondaryIndexes: object[]) => changed('DataSessions', { GlobalSecondaryIndexes });
    const index = (IndexName: string) => ({ IndexName, KeySchema: [{ AttributeName: 'x', KeyType: 'HASH' }] });
    expect(refusals(before, withIndexes([...indexes, index('byX')]))).toEqual([]);
    expect(refusals(before, withIndexes([...indexes, index('byX'), index('byY')]))).toHaveLength(1);
    expect(refusals(before, withIndexes([...indexes.slice(1), index('byX')]))).toHaveLength(1);
    expect(refusals(withIndexes([index('byX')]), withIndexes([{ ...index('byX'), Projection: {} }]))).toEqual([
      expect.stringContaining('give it another name'),
    ]);
  });
});

test('a table that a release drops is reported in words', () => {
  const before = { Old: { Type: 'AWS::DynamoDB::GlobalTable', DeletionPolicy: 'RetainExceptOnCreate' } };
  expect(wordsOf(changesBetween(before, {}))).toEqual([expect.stringContaining('DROPS')]);
});
