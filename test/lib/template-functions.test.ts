import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  queueVariables,
  settingVariables,
  stripeVariables,
  tableVariables,
} from '../../functions/contract/environment.ts';
import { longestCall } from '../../functions/aws-client.ts';
import { second } from '../../functions/domain/time.ts';
import { stageOf } from '../../lib/settings/stage.ts';
import { bundlesOf } from '../support/built.ts';
import { at, roleOf, stages, target, type Resource } from './stacks.ts';

/** Loads a bundle as Lambda does. Returns its handler, and the variables that it read while loading. */
function load(bundle: string, given: Readonly<Record<string, unknown>>) {
  const known: string[] = [tableVariables, queueVariables, settingVariables, stripeVariables].flatMap((each) =>
    Object.values(each),
  );
  const read = new Set<string>();
  const environment = process.env;
  // References become URLs, because every parser accepts one.
  const valueOf = (name: string) => (typeof given[name] === 'object' ? 'https://example.com' : given[name]);
  process.env = new Proxy(environment, {
    get(_, name) {
      if (typeof name !== 'string' || !known.includes(name)) return Reflect.get(environment, name);
      read.add(name);
      return valueOf(name);
    },
  });
  try {
    const { handler } = createRequire(bundle)(bundle) as { handler: (...parameters: unknown[]) => unknown };
    return { handler, read: [...read] };
  } finally {
    process.env = environment;
  }
}

function bundlesIn(directory: string): Record<string, string> {
  const bundles = globSync('**/*.js', { cwd: directory });
  return Object.fromEntries(bundles.map((bundle) => [bundle, readFileSync(join(directory, bundle), 'utf8')]));
}

/** A stack with another issuer has no user pool. The test of a function's role checks which tables it needs. */
const optional: string[] = [settingVariables.userPoolId, ...Object.values(tableVariables)];

describe.each(stages)(
  'the functions of the $stage stack',
  ({ stage, resources, all, lambdas, functions, statementsOf, bundleOf }) => {
    const used = functions.map((each) => readFileSync(bundleOf(each), 'utf8'));
    const variablesOf = (each: Resource) => at(each.Properties, 'Environment', 'Variables') as Record<string, unknown>;
    const loaded = new Map(functions.map((each) => [each, load(bundleOf(each), variablesOf(each))]));
    const holding = (text: string) => used.filter((bundle) => bundle.includes(text)).length;

    test('no resource needs itself, directly or through others: CloudFormation could not create it', () => {
      const waiting = new Map(
        resources.map(({ id, ...resource }) => {
          const named = [...JSON.stringify(resource).matchAll(/"(\w+)"/g)].map(([, text = '']) => text);
          return [id, named.filter((text) => text !== id && resources.some((each) => each.id === text))];
        }),
      );
      for (let before = Infinity; waiting.size < before;) {
        before = waiting.size;
        for (const [id, needed] of waiting) if (!needed.some((each) => waiting.has(each))) waiting.delete(id);
      }
      expect([...waiting.keys()]).toEqual([]);
    });

    test('the build has exactly the bundles of its functions', async () => {
      const built = Object.entries(bundlesIn(await bundlesOf(stageOf(stage).mode)));
      expect(built.filter(([, bytes]) => !used.includes(bytes)).map(([bundle]) => bundle)).toEqual([]);
      expect(new Set(used)).toEqual(new Set(built.map(([, bytes]) => bytes)));
      expect(used).toHaveLength(built.length);
    });

    test('every function has exactly the variables that its bundle reads', () => {
      for (const [each, { read: known }] of loaded) {
        const given = variablesOf(each);
        // The log reads its namespace later, when it writes.
        const read = known.filter((name) => name in given || !optional.includes(name));
        const expected = [...read, settingVariables.metricsNamespace];
        expect(Object.keys(given).sort(), each.id).toEqual(expected.sort());
      }
    });

    test('no bundle has the schemas of operations that it does not call, except for S3 and SES', () => {
      for (const called of ['GetItemInput', 'PutEventsRequest', 'AdminCreateUserRequest'])
        expect(holding(called), called).toBeGreaterThan(0);
      for (const other of ['CreateBackupInput', 'CreateArchiveRequest', 'CreateGroupRequest'])
        expect(holding(other), other).toBe(0);
    });

    test('no bundle can look for the shared configuration files of AWS, which Lambda does not have', () => {
      expect(holding('AWS_REGION')).toBeGreaterThan(0);
      expect(holding('node:fs/promises') + holding('AWS_CONFIG_FILE')).toBe(0);
    });

    test('every bundle has only the processor of its mode', () => {
      expect(holding('user_insufficient_funds') > 0).toBe(stage === 'sandbox');
      expect(holding('Sandbox Bank') > 0).toBe(stage === 'sandbox');
      expect(used.filter((bundle) => /stripe/i.test(bundle)).length > 0).toBe(stage === 'production');
    });

    test('only a sandbox has a sandbox bank', () => {
      const mentions = JSON.stringify(resources.map(({ id, Properties }) => [id, Properties])).match(/sandbox/gi) ?? [];
      expect(mentions.length > 0).toBe(stage === 'sandbox');
    });

    test('every function runs on Node 24 and arm64', () => {
      for (const { id, Properties } of functions) {
        expect(Properties, id).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
      }
    });

    test('every function outlives a call to AWS with all its retries', () => {
      for (const { id, Properties } of functions)
        expect(Number(Properties['Timeout']) * second, id).toBeGreaterThanOrEqual(longestCall + second);
    });

    test('no handler declares three parameters, which Node 24 on Lambda refuses', () => {
      const lengths = [...loaded].map(([{ id }, { handler }]) => [id, handler.length] as const);
      expect(lengths.filter(([, length]) => length > 2)).toEqual([]);
      expect(lengths).toHaveLength(functions.length);
    });

    const sharedRoles = {
      PracticeApiReads: /^PracticeApi(GetPractice|GetSessionStatus|ListSessions|ListEvents|ListPayouts|GetPayout)/,
      PracticeApiEndpoints: /^PracticeApi\w*(Webhook|SigningSecret)/,
      PracticeApiPlatform: /^PracticeApi(CreatePractice|ListPractices|GetPlatformPractice|(Suspend|Resume)Practice)/,
      PracticeApiErasePatient: /^PracticeApiErasePatient/,
      PracticeApiAnyone: /^PracticeApi(GetHealth|GetOpenApiDocument|DefaultRoute)/,
      PatientApiChanges: /^PatientApi(OpenSession|ExtendSession|NamePayer|RequestLink)/,
    };

    test("every function writes JSON to its construct's log group, which is kept for a month", () => {
      const logGroupOf = ({ Properties }: Resource) => target(at(Properties, 'LoggingConfig', 'LogGroup'));
      const groups = lambdas.map(logGroupOf);
      for (const each of functions) {
        const construct = /^(.*)Logs[0-9A-F]{8}$/.exec(String(logGroupOf(each)))?.[1];
        expect(construct !== undefined && each.id.startsWith(construct), each.id).toBe(true);
      }
      for (const { Properties } of functions) expect(at(Properties, 'LoggingConfig', 'LogFormat')).toBe('JSON');
      const logGroups = all('AWS::Logs::LogGroup');
      expect(logGroups.map(({ id }) => id)).toEqual(expect.arrayContaining(groups));
      for (const { id, Properties } of logGroups) expect(Properties['RetentionInDays'], id).toBe(30);
    });

    test('every function has its own role or one of the six that functions share, without managed policies', () => {
      const roles = functions.map(roleOf);
      for (const each of functions) {
        const [shared] = Object.entries(sharedRoles).find(([, members]) => members.test(each.id)) ?? [];
        const name = shared ?? each.id.slice(0, -8);
        expect(roleOf(each).slice(0, -8), each.id).toBe(`${name}Role`);
      }
      for (const { id, Properties } of all('AWS::IAM::Role').filter(({ id }) => roles.includes(id))) {
        expect(Properties['ManagedPolicyArns'], id).toBeUndefined();
      }
    });

    test('no policy of a function has a wildcard, except for the names of logos and of evidence', () => {
      for (const each of functions) {
        const statements = statementsOf(roleOf(each)).filter(({ Effect }) => Effect === 'Allow');
        expect(statements.length, each.id).toBeGreaterThan(0);
        for (const statement of statements)
          expect(JSON.stringify([statement.Action, statement.Resource]), each.id).not.toMatch(
            /(?<!logos\/|evidence\/)\*/,
          );
      }
    });
  },
);

test('only functions that call Stripe may read its secret', () => {
  const { functions, statementsOf, bundleOf } = stages[1];
  const reading = functions.filter((each) =>
    statementsOf(roleOf(each)).some(({ Resource }) => JSON.stringify(Resource).includes(':secret:stripe-')),
  );
  const calling = functions.filter((each) => readFileSync(bundleOf(each), 'utf8').includes('STRIPE_SECRET_ID'));
  expect(calling.length).toBeGreaterThan(5);
  expect(reading.map(({ id }) => id)).toEqual(calling.map(({ id }) => id));
});
