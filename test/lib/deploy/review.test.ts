import { ChangeSetNotFoundException, CloudFormationClient, type Change } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from 'vitest';
import { review } from '../../../lib/deploy/review/review.ts';
import { wordsOf, type ResourceChange } from '../../../lib/deploy/review/words.ts';
import { settingsOf } from '../../../lib/settings/settings.ts';
import { answered } from '../../support/answered-client.ts';

const name = 'PatientInvoicePaymentSandbox';

const change = (id: string, type: string, rest: Change['ResourceChange']): Change => ({
  Type: 'Resource',
  ResourceChange: { LogicalResourceId: id, ResourceType: type, ...rest },
});

/** `pages`: the pages of the change set; undefined if there is none. */
async function reviewed(
  pages: Change[][] | undefined,
  {
    status = 'UPDATE_COMPLETE',
    exitCode = 0,
    options = ['-c', 'mailFrom=pay@example.com'],
    kept = { oidcIssuer: 'none' },
    given = {},
  }: {
    status?: string;
    exitCode?: number;
    options?: string[];
    /** Those of the stack's last deploy. */
    kept?: Record<string, string>;
    given?: Record<string, string>;
  } = {},
) {
  const runs: (readonly string[])[] = [];
  const lines: string[] = [];
  const { client, sent } = answered(new CloudFormationClient({ region: 'us-east-1' }), (command, input) => {
    const Outputs = [{ OutputKey: 'Settings', OutputValue: JSON.stringify(kept) }];
    if (command === 'DescribeStacks') return { Stacks: [{ StackName: name, StackStatus: status, Outputs }] };
    if (command !== 'DescribeChangeSet') return {};
    if (!pages) throw new ChangeSetNotFoundException({ message: 'none', $metadata: {} });
    const page = Number(input['NextToken'] ?? 0);
    return { Changes: pages[page], ...(page + 1 < pages.length && { NextToken: String(page + 1) }) };
  });
  const cdk = async (args: readonly string[]) => {
    runs.push(args);
    return exitCode;
  };
  const tools = { cloudFormation: client, cdk, print: (line: string) => lines.push(line.trim()) };
  const settings = settingsOf((key) => new Map(Object.entries(given)).get(key), 'us-east-1');
  const outcome = await review(tools, settings, options, 7);
  return { outcome, runs, lines, commands: sent.map(({ command }) => command) };
}

describe('a review', () => {
  test('prepares a change set, says what it does on all its pages, and deletes it', async () => {
    const { outcome, runs, lines, commands } = await reviewed([
      [
        change('Sessions', 'AWS::DynamoDB::GlobalTable', { Action: 'Modify', Replacement: 'True' }),
        change('OldBucket', 'AWS::S3::Bucket', { Action: 'Remove', PolicyAction: 'Retain' }),
      ],
      [
        change('OldRoute', 'AWS::ApiGatewayV2::Route', { Action: 'Remove', PolicyAction: 'Delete' }),
        change('Pool', 'AWS::Cognito::UserPool', { Action: 'Modify', Replacement: 'Conditional' }),
        change('OldVersion', 'AWS::Lambda::Version', { Action: 'Remove', PolicyAction: 'Retain' }),
        change('Sweep', 'AWS::Lambda::Function', { Action: 'Modify', Replacement: 'False' }),
        change('Send', 'AWS::Lambda::Function', { Action: 'Add' }),
      ],
    ]);
    expect(outcome).toBe(0);
    expect(runs.map((args) => args.join(' '))).toEqual([
      'deploy -c mailFrom=pay@example.com --method=prepare-change-set --change-set-name review-7 --require-approval never',
    ]);
    expect(lines).toEqual([
      `What the deploy does to ${name}:`,
      'DROPS     S3::Bucket OldBucket: AWS keeps it, and only `destroy` removes it.',
      expect.stringMatching(/^MAY REPLACE Cognito::UserPool Pool, .*nobody in the old one can sign in\.$/),
      'REMOVES   ApiGatewayV2::Route OldRoute.',
      'REPLACES  DynamoDB::GlobalTable Sessions: a new, empty table is used, and its rows stay in the old one.',
      'changes   1 Lambda::Function',
      'adds      1 Lambda::Function',
    ]);
    expect(commands.at(-1)).toBe('DeleteChangeSet');
  });

  const open = (property: string, CausingEntity: string): Change['ResourceChange'] => ({
    Action: 'Modify',
    Replacement: 'Conditional',
    Details: [
      { Target: { Attribute: 'Properties', Name: 'Tags', RequiresRecreation: 'Never' } },
      { Target: { Name: property, RequiresRecreation: 'Conditionally' }, Evaluation: 'Dynamic', CausingEntity },
    ],
  });

  test('counts routes whose functions have new code, which AWS changes in place', async () => {
    const routes = ['One', 'Two'].map((id) =>
      change(id, 'AWS::ApiGatewayV2::Route', open('Target', `${id}Integration`)),
    );
    const { lines } = await reviewed([routes]);
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^may replace 2 ApiGatewayV2::Route\. .*in place/)]);
  });

  test('says in one line that routes move to another API if theirs is replaced', async () => {
    const ids = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7'];
    const { lines } = await reviewed([ids.map((id) => change(id, 'AWS::ApiGatewayV2::Route', open('ApiId', 'Api')))]);
    expect(lines.slice(1)).toEqual([
      'MAY REPLACE ApiGatewayV2::Route R1, R2, R3, R4, R5 and 2 more if its ApiId changes, which AWS knows only during the deploy: calls answer 404 while it is replaced.',
    ]);
  });

  test('of the deployed template says that it changes nothing', async () => {
    expect((await reviewed(undefined)).lines.at(-1)).toBe('Changes nothing.');
  });

  test.each(['ROLLBACK_COMPLETE', 'REVIEW_IN_PROGRESS'])('of a stack in %s prepares nothing', async (status) => {
    const { runs, lines } = await reviewed([], { status });
    expect({ runs, lines }).toEqual({ runs: [], lines: [`${name} does not exist yet: the deploy creates it.`] });
  });

  test('of settings that the deploy would refuse says so, and prepares nothing', async () => {
    const kept = { oidcIssuer: 'none', mailFrom: 'pay@example.com' };
    const refused = await reviewed([], { kept });
    expect(refused).toMatchObject({ outcome: 1, runs: [] });
    expect(refused.lines).toEqual([
      '`npm run deploy` would refuse this:',
      expect.stringMatching(/^-c mailFrom is left out.* -c mailFrom=none to drop it\.$/),
    ]);
    expect(await reviewed([[]], { kept, given: { mailFrom: 'none' } })).toMatchObject({ outcome: 0 });
  });

  test('with --help only shows the options of cdk deploy', async () => {
    const help = await reviewed(undefined, { options: ['--help'] });
    expect(help).toMatchObject({ runs: [['deploy', '--help']], lines: [], commands: [] });
  });

  test('fails if CDK fails', async () => {
    expect(await reviewed([], { exitCode: 1 })).toMatchObject({ outcome: 1, lines: [] });
  });
});

test('what a deploy replaces or removes without a loss is counted', () => {
  const layer = (id: string, does: ResourceChange['does']) => ({ id, type: 'AWS::Lambda::LayerVersion', does });
  expect(wordsOf([layer('A', 'replace'), layer('B', 'replace'), layer('C', 'delete')])).toEqual([
    'replaces  2 Lambda::LayerVersion',
    'removes   1 Lambda::LayerVersion',
  ]);
});
