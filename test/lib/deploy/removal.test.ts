import { describe, expect, test } from 'vitest';
import { destroy, planRemoval } from '../../../lib/deploy/removal/destroy.ts';
import { findRecords } from '../../../lib/deploy/removal/stack-records.ts';
import { fakeAccount, fakeStack } from './fake-account.ts';

const name = 'PatientInvoicePaymentSandbox';

async function planned({ tools, name: stackName }: ReturnType<typeof fakeAccount>, leftovers = false) {
  return planRemoval(tools, await findRecords(tools.cloudFormation, stackName), { leftovers });
}

async function destroyed(account: ReturnType<typeof fakeAccount>, leftovers = false) {
  return destroy(account.tools, await planned(account, leftovers));
}

describe('destroy', () => {
  test('removes all 175 resources of a protected stack, and what outlives it, the key last', async () => {
    const account = fakeAccount({ stacks: [fakeStack()] });
    const { removed, left, kept } = await destroyed(account);
    expect([...account.existing]).toEqual([]);
    expect({ removed: removed.length, left, kept }).toEqual({ removed: 55, left: [], kept: [] });
    const commands = account.commands();
    const first = (command: string) => commands.indexOf(command);
    expect(first('UpdateTable')).toBeLessThan(first('DeleteStack'));
    expect(first('UpdateTerminationProtection')).toBeLessThan(first('DeleteStack'));
    expect(first('DeleteStack')).toBeLessThan(first('DeleteTable'));
    expect(first('DeleteStack')).toBeLessThan(first('UpdateUserPool'));
    expect(commands.at(-1)).toBe('ScheduleKeyDeletion');
  });

  test('also removes the log groups that Lambda made for functions of the stack, and no others', async () => {
    const account = fakeAccount({ stacks: [fakeStack()] });
    for (const group of ['function3-1', 'function44-1', 'function3-1-of-others'])
      account.existing.add(`/aws/lambda/${group}`);
    expect((await planned(account)).remove.filter(({ type }) => type === 'AWS::Logs::LogGroup')).toHaveLength(36);
    expect((await destroyed(account)).left).toEqual([]);
    expect([...account.existing]).toEqual(['/aws/lambda/function3-1-of-others']);
  });

  test('counts versions, which the stack keeps, as gone with their functions', async () => {
    const stack = fakeStack();
    stack.resources.set('function3-1:7', { type: 'AWS::Lambda::Version', status: 'CREATE_COMPLETE' });
    expect((await destroyed(fakeAccount({ stacks: [stack] }))).left).toEqual([]);
  });

  test('finds such log groups of a stack that was deleted before', async () => {
    const account = fakeAccount({ stacks: [fakeStack()] });
    await destroyed(account);
    account.existing.add('/aws/lambda/function3-1');
    await destroyed(account, true);
    expect([...account.existing]).toEqual([]);
  });

  test('plans without changing anything', async () => {
    const account = fakeAccount({ stacks: [fakeStack()] });
    expect((await planned(account)).stack).toMatchObject({ resources: 175, isProtected: true });
    expect(account.commands().filter((each) => /^(Update|Delete|Schedule)/.test(each))).toEqual([]);
  });

  test.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_FAILED', 'REVIEW_IN_PROGRESS'] as const)(
    'works on a stack in %s',
    async (status) => {
      const account = fakeAccount({ stacks: [fakeStack({ status })] });
      await destroyed(account);
      expect([...account.existing]).toEqual([]);
    },
  );

  test.each(['CREATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS'] as const)(
    'waits for AWS if a stack is in %s',
    async (status) => {
      await expect(planned(fakeAccount({ stacks: [fakeStack({ status })] }))).rejects.toThrow('Try again');
    },
  );

  test('deletes the stack without what CloudFormation cannot delete, and says what that is', async () => {
    const account = fakeAccount({ stacks: [fakeStack({ stuck: ['function7-1', 'bucket0-1'] })] });
    const { left } = await destroyed(account);
    expect(left).toEqual([{ type: 'AWS::Lambda::Function', id: 'function7-1', reason: expect.any(String) as string }]);
    expect([...account.existing]).toEqual(['function7-1']);
  });

  test('continues after a refusal, says what is left, and finishes when it is run again', async () => {
    const refusing = ['table3-1'];
    const account = fakeAccount({ stacks: [fakeStack()], refusing });
    expect((await destroyed(account)).left).toEqual([
      { type: 'AWS::DynamoDB::GlobalTable', id: 'table3-1', reason: 'AccessDenied' },
    ]);
    expect([...account.existing]).toEqual(['table3-1']);
    refusing.pop();
    expect((await destroyed(account)).left).toEqual([]);
    expect([...account.existing]).toEqual([]);
    expect(await planned(account)).toEqual({ stack: undefined, remove: [], dropped: [], keep: [] });
  });

  test('keeps the evidence archive, and says why', async () => {
    const account = fakeAccount({ stage: 'production', stacks: [fakeStack()], locked: ['archive0-1'] });
    const { kept, left } = await destroyed(account);
    expect(kept).toEqual([
      { type: 'AWS::S3::Bucket', id: 'archive0-1', reason: expect.stringContaining('Object Lock') as string },
    ]);
    expect(left).toEqual([]);
    expect([...account.existing]).toEqual(['archive0-1']);
  });

  const backups = (status: string) =>
    fakeStack({
      id: 'arn:aws:cloudformation:us-east-1:123456789012:stack/Name-Backups/1',
      resources: new Map([
        ['backup-key-1', { type: 'AWS::KMS::Key', status }],
        ['backup-log-1', { type: 'AWS::Logs::LogGroup', status }],
      ]),
    });

  test('also looks into nested stacks, and keeps the key of backups until they end', async () => {
    const nested = backups('CREATE_COMPLETE');
    const stack = fakeStack();
    stack.resources.set(nested.id, { type: 'AWS::CloudFormation::Stack', status: 'CREATE_COMPLETE' });
    const account = fakeAccount({ stacks: [stack], nested: [nested] });
    const { kept, left } = await destroyed(account);
    expect({ kept: kept.map(({ id, reason }) => [id, reason]), left }).toEqual({
      kept: [['backup-key-1', expect.stringContaining('delete their vault')]],
      left: [],
    });
    expect([...account.existing]).toEqual(['backup-key-1']);
  });

  test('finds what a nested stack left that an update removed', async () => {
    const account = fakeAccount({ stacks: [fakeStack()], nested: [backups('DELETE_SKIPPED')] });
    const { dropped, keep } = await planned(account);
    expect({ dropped: dropped.map(({ id }) => id), keep: keep.map(({ id }) => id) }).toEqual({
      dropped: ['backup-log-1'],
      keep: ['backup-key-1'],
    });
  });

  test('gives a key of production 30 days, and one of a sandbox 7', async () => {
    for (const [stage, days] of [
      ['production', 30],
      ['sandbox', 7],
    ] as const) {
      const account = fakeAccount({ stage, stacks: [fakeStack()] });
      await destroyed(account);
      expect(account.sent.at(-1)?.input).toMatchObject({ PendingWindowInDays: days });
    }
  });
});

describe('what a release took out of the stack but kept', () => {
  const pool = 'us-east-1_dropped';
  const named = [
    `${name}-DataOldTable1-A1B2`,
    `${name}-DataSessions-A1B2-restored`,
    'patientinvoicepaymentsan-logs-a1b2',
  ];
  const others = ['PatientInvoicePaymentProduction-DataSessions-A1B2', 'patientinvoicepaymentpro-logs-a1b2', 'orders'];

  function upgraded() {
    const account = fakeAccount({ stacks: [fakeStack({ dropped: new Map([[pool, 'AWS::Cognito::UserPool']]) })] });
    for (const id of [...named, ...others]) account.existing.add(id);
    return account;
  }

  test('is found by the events and by name, and goes with the stack', async () => {
    const account = upgraded();
    expect((await planned(account)).dropped.map(({ id }) => id).sort()).toEqual([...named, pool].sort());
    expect((await destroyed(account)).left).toEqual([]);
    expect([...account.existing]).toEqual(others);
  });

  test('is found on every page of log groups', async () => {
    const account = upgraded();
    for (let at = 0; at < 60; at += 1) account.existing.add(`${name}-Logs${at}`);
    const { dropped } = await planned(account);
    expect(dropped.filter(({ type, id }) => type === 'AWS::Logs::LogGroup' && id.includes('-Logs'))).toHaveLength(60);
  });

  test('stays with --leftovers, as the stack does', async () => {
    const { stack, remove, dropped } = await planned(upgraded(), true);
    expect({ stack, remove, dropped }).toEqual({ stack: undefined, remove: [], dropped: [] });
  });
});

describe('what a failed first deploy left', () => {
  test.each(['ROLLBACK_COMPLETE', 'CREATE_FAILED', 'REVIEW_IN_PROGRESS'] as const)(
    'is removed with --leftovers, with its stack in %s',
    async (status) => {
      const account = fakeAccount({ stacks: [fakeStack({ status })] });
      await destroyed(account, true);
      expect([...account.existing]).toEqual([]);
    },
  );

  test.each(['CREATE_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED', 'DELETE_FAILED'] as const)(
    'is all that --leftovers removes beside a stack in %s',
    async (status) => {
      const account = fakeAccount({ stacks: [fakeStack({ status })] });
      await destroyed(account, true);
      expect(account.existing.size).toBe(175);
    },
  );

  const failed = () => {
    const stack = fakeStack({ id: 'arn:aws:cloudformation:us-east-1:123456789012:stack/Name/0' });
    for (const [id, resource] of stack.resources)
      resource.status = id.startsWith('bucket') || id.startsWith('table') ? 'DELETE_SKIPPED' : 'DELETE_COMPLETE';
    return { ...stack, status: 'DELETE_COMPLETE' as const };
  };

  test('is found after its stack is gone', async () => {
    const stack = failed();
    const account = fakeAccount({ stacks: [stack] });
    const { removed } = await destroyed(account);
    expect(removed).toHaveLength(18);
    expect([...account.existing].filter((id) => /^(bucket|table)/.test(id))).toEqual([]);
  });

  test('is removed with --leftovers while the stack that came after it stays', async () => {
    const account = fakeAccount({ stacks: [failed(), fakeStack()] });
    const { removed } = await destroyed(account, true);
    expect(removed.map(({ id }) => id).filter((id) => !id.endsWith('-0'))).toEqual([]);
    expect(removed).toHaveLength(18);
    expect([...account.existing].filter((id) => id.endsWith('-1'))).toHaveLength(175);
    expect(account.commands()).not.toContain('DeleteStack');
  });
});

test('a stack that belongs to someone else is refused', async () => {
  const { cloudFormation } = fakeAccount({ stacks: [fakeStack()], description: 'A blog' }).tools;
  await expect(findRecords(cloudFormation, name)).rejects.toThrow('is not a stack of this service');
  await expect(findRecords(cloudFormation, 'Blog')).rejects.toThrow('is not a stack of this service');
});

test('an unknown name is reported', async () => {
  await expect(findRecords(fakeAccount({ stacks: [] }).tools.cloudFormation, name)).rejects.toThrow(
    `There is no stack ${name}`,
  );
});
