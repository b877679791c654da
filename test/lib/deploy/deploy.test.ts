import {
  CloudFormationClient,
  CloudFormationServiceException,
  type StackResourceSummary,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from 'vitest';
import { deploy } from '../../../lib/deploy/deploy.ts';
import { settingsOf } from '../../../lib/settings/settings.ts';
import { answered } from '../../support/answered-client.ts';
import { readDeployCommand } from '../../../lib/deploy/command-line.ts';

const name = 'PatientInvoicePaymentSandbox';
const given = ['-c', 'alarmEmail=oncall@example.com'];

interface Described {
  readonly StackId?: string;
  readonly StackStatus: StackStatus;
  readonly EnableTerminationProtection?: boolean;
  readonly Outputs?: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
}

/** `stacks`: what AWS describes before the first run of `cdk`, before the second, and so on. */
async function deployed(
  stacks: readonly (Described | undefined)[],
  exitCodes: readonly number[] = [0, 0],
  settings: Readonly<Record<string, string>> = {},
  options = given,
  { isTerminal = true, left = [] }: { isTerminal?: boolean; left?: readonly StackResourceSummary[] } = {},
) {
  const calls: (readonly string[])[] = [];
  const notes: string[] = [];
  const { client: cloudFormation, sent } = answered(
    new CloudFormationClient({ region: 'us-east-1' }),
    (command, input) => {
      if (command === 'UpdateTerminationProtection') {
        calls.push([command, String(input['EnableTerminationProtection'])]);
        return {};
      }
      if (command === 'ListStackResources') return { StackResourceSummaries: left };
      const runs = calls.filter(([first]) => first === 'deploy').length;
      const stack = stacks[Math.min(runs, stacks.length - 1)];
      if (stack) return { Stacks: [stack] };
      throw new CloudFormationServiceException({
        name: 'ValidationError',
        message: `Stack with id ${name} does not exist`,
        $fault: 'client',
        $metadata: {},
      });
    },
  );
  let runs = 0;
  const cdk = async (args: readonly string[]) => {
    calls.push(args);
    return exitCodes[runs++] ?? 0;
  };
  const exitCode = await deploy(
    { cloudFormation, cdk, note: (line) => notes.push(line), isTerminal },
    { settings: settingsOf((key) => settings[key], 'us-east-1'), prefix: 'AWS_REGION=eu-central-1 ' },
    options,
  );
  return { exitCode, calls, sent, notes: notes.join('\n') };
}

const mailFrom = 'payments@example.com';
const withSettings = (settings: Readonly<Record<string, string>>): Described => ({
  StackStatus: 'UPDATE_COMPLETE',
  Outputs: [{ OutputKey: 'Settings', OutputValue: JSON.stringify(settings) }],
});
const unprotected = ['deploy', ...given, '-c', 'protect=false'];
const whole = ['deploy', ...given];

describe('a deploy', () => {
  test('creates a new stack unprotected, then protects it', async () => {
    const { exitCode, calls } = await deployed([undefined, { StackStatus: 'CREATE_COMPLETE' }]);
    expect(calls).toEqual([unprotected, whole]);
    expect(exitCode).toBe(0);
  });

  test.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] as const)(
    'of a stack in %s is one, and leaves it protected',
    async (StackStatus) => {
      expect((await deployed([{ StackStatus, EnableTerminationProtection: true }])).calls).toEqual([whole]);
    },
  );

  test.each([
    [1, 'forgets the number of the deployed secret'],
    [4, 'skips a number'],
  ])('with -c originSecret=%i does not begin: it %s', async (number) => {
    const stack = {
      StackStatus: 'UPDATE_COMPLETE',
      Outputs: [{ OutputKey: 'OriginSecretNumber', OutputValue: '2' }],
    } as const;
    const { exitCode, calls, notes } = await deployed([stack], [0], { originSecret: String(number) });
    expect({ exitCode, calls }).toEqual({ exitCode: 1, calls: [] });
    expect(notes).toContain('Give 2, or 3 to change the secret.');
    for (const originSecret of ['2', '3'])
      expect((await deployed([stack], [0], { originSecret })).calls).toEqual([whole]);
  });

  test('that leaves out settings of the stack does not begin: it names each', async () => {
    const { exitCode, calls, notes } = await deployed([withSettings({ apiDomain: 'api.example.com', mailFrom })]);
    expect({ exitCode, calls }).toEqual({ exitCode: 1, calls: [] });
    expect(notes.split('\n')).toEqual([
      expect.stringContaining('Give -c apiDomain=api.example.com, or -c apiDomain=none to drop it.'),
      expect.stringContaining(`Give -c mailFrom=${mailFrom}, or -c mailFrom=none to drop it.`),
    ]);
  });

  test.each([{ mailFrom }, { mailFrom: 'billing@example.com' }, { mailFrom: 'none' }])(
    'with %j in place of a sender begins',
    async (settings) => {
      expect((await deployed([withSettings({ mailFrom })], [0], settings)).calls).toEqual([whole]);
    },
  );

  test('of a stack without outputs begins, whatever it leaves out', async () => {
    expect((await deployed([{ StackStatus: 'UPDATE_COMPLETE', Outputs: [] }])).calls).toEqual([whole]);
  });

  test('that fails the first time says what to do and protects nothing', async () => {
    const { exitCode, calls, notes } = await deployed([undefined], [1]);
    expect(calls).toEqual([unprotected]);
    expect(exitCode).toBe(1);
    expect(notes).toContain('run the same command again');
    expect(notes).toContain('It left nothing behind.');
  });

  test('that fails the first time names what it left, and a command that removes only that', async () => {
    const failed = { StackId: 'stack-1', StackStatus: 'ROLLBACK_COMPLETE' } as const;
    const resource = (id: string, ResourceStatus: 'DELETE_SKIPPED' | 'DELETE_COMPLETE'): StackResourceSummary => ({
      LogicalResourceId: id,
      PhysicalResourceId: id,
      ResourceType: 'AWS::S3::Bucket',
      LastUpdatedTimestamp: new Date(0),
      ResourceStatus,
    });
    const left = [resource('page-bucket', 'DELETE_SKIPPED'), resource('queue', 'DELETE_COMPLETE')];
    const { notes } = await deployed([undefined, failed], [1], {}, given, { left });
    expect(notes).toContain('It left page-bucket.');
    expect(notes).toContain(`AWS_REGION=eu-central-1 npm run -s practice -- destroy --stack ${name} --leftovers`);
    expect(notes).not.toContain('queue');
  });

  test.each(['CREATE_IN_PROGRESS', 'CREATE_COMPLETE'] as const)(
    'whose command fails while the stack is in %s offers to remove nothing',
    async (StackStatus) => {
      const { notes } = await deployed([undefined, { StackId: 'stack-1', StackStatus }], [1]);
      expect(notes).toContain(`${name} is in ${StackStatus}.`);
      expect(notes).not.toContain('destroy');
    },
  );

  test('without a terminal does not begin unless it is approved: it says how', async () => {
    const { exitCode, calls, sent, notes } = await deployed([undefined], [], {}, given, { isTerminal: false });
    expect({ exitCode, calls, sent }).toEqual({ exitCode: 1, calls: [], sent: [] });
    expect(notes).toContain('npm run deploy:review');
    expect(notes).toContain('--require-approval never');
  });

  test.each([['--require-approval', 'never'], ['--require-approval=destructive'], ['--yes'], ['-y']])(
    'without a terminal begins with %s',
    async (...approval) => {
      const up = { StackStatus: 'UPDATE_COMPLETE' } as const;
      const { calls } = await deployed([up], [0], {}, approval, { isTerminal: false });
      expect(calls).toEqual([['deploy', ...approval]]);
    },
  );

  test.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'] as const)(
    'after one that ended in %s starts over',
    async (StackStatus) => {
      const { exitCode, calls } = await deployed([{ StackStatus }, { StackStatus: 'CREATE_COMPLETE' }]);
      expect(calls).toEqual([unprotected, whole]);
      expect(exitCode).toBe(0);
    },
  );

  test('lets CDK delete a failed stack that plain `cdk deploy` protected', async () => {
    const failed: Described = { StackStatus: 'ROLLBACK_COMPLETE', EnableTerminationProtection: true };
    const { calls } = await deployed([failed, { StackStatus: 'CREATE_COMPLETE' }]);
    expect(calls).toEqual([['UpdateTerminationProtection', 'false'], unprotected, whole]);
  });

  test('that only prepares the first change set is one', async () => {
    expect((await deployed([undefined, { StackStatus: 'REVIEW_IN_PROGRESS' }])).calls).toEqual([unprotected]);
  });

  test('with --help only shows the options of cdk deploy, and asks AWS for nothing', async () => {
    const help = await deployed([undefined], [0], {}, ['--help']);
    expect(help).toMatchObject({ calls: [['deploy', '--help']], sent: [], notes: '' });
  });

  test('fails if its second step fails', async () => {
    expect((await deployed([undefined, { StackStatus: 'CREATE_COMPLETE' }], [0, 1])).exitCode).toBe(1);
  });
});

describe('command line', () => {
  const none = {};

  test('settings are read as cdk takes them', async () => {
    const args = ['--require-approval', 'never', '-c', 'mailFrom=pay@example.com', '--context', 'region=eu-central-1'];
    expect(await readDeployCommand([...args, '--context=protect=false', '--profile', 'clinic'], none)).toMatchObject({
      settings: { mailFrom: 'pay@example.com', protect: false, stage: { name: 'sandbox' } },
      region: 'eu-central-1',
      profile: 'clinic',
    });
  });

  test("without -c region, the region is the shell's", async () => {
    expect(await readDeployCommand([], { AWS_REGION: 'us-west-2' })).toMatchObject({ region: 'us-west-2' });
    expect(await readDeployCommand([], { AWS_DEFAULT_REGION: 'us-west-2' })).toMatchObject({ region: 'us-west-2' });
    expect((await readDeployCommand([], none)).region).toBeUndefined();
  });

  test('a value may contain an equals sign', async () => {
    const url = 'https://git.example.com/runbook.md?at=main';
    expect((await readDeployCommand(['-c', `runbookUrl=${url}`], none)).settings.runbook).toBe(url);
  });

  test('a wrong setting is reported the way cdk reports it', async () => {
    await expect(readDeployCommand(['-c', 'stage=production'], none)).rejects.toThrow(
      'Production needs -c stripeSecret=',
    );
    await expect(readDeployCommand(['-c', 'protect=no'], none)).rejects.toThrow('-c protect must be true or false');
  });

  test('a setting that does not exist is refused, except those of CDK itself', async () => {
    await expect(readDeployCommand(['-c', 'chargetype=destination', '-c', 'reserved=true'], none)).rejects.toThrow(
      'There is no setting -c chargetype: see web/docs/deploy.md.\nThere is no setting -c reserved:',
    );
    await readDeployCommand(['-c', '@aws-cdk/core:bootstrapQualifier=clinic', '-c', 'chargeType=destination'], none);
  });
});
