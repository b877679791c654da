import { CloudFormationClient, type StackResourceDrift } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from 'vitest';
import { findDrift } from '../../../lib/deploy/drift.ts';
import { answered } from '../../support/answered-client.ts';

const modified = (id: string, type: string, ExpectedValue: string, ActualValue: string) => ({
  LogicalResourceId: id,
  ResourceType: type,
  StackResourceDriftStatus: 'MODIFIED',
  PropertyDifferences: [{ PropertyPath: '/A', ExpectedValue, ActualValue, DifferenceType: 'NOT_EQUAL' }],
});

/** `pages`: what AWS found, page by page. AWS is busy the first time it is asked. */
async function found(pages: object[][], failure?: string) {
  const lines: string[] = [];
  let waits = 0;
  const { client } = answered(new CloudFormationClient({ region: 'us-east-1' }), (command, input) => {
    if (command === 'DetectStackDrift') return { StackDriftDetectionId: 'detection' };
    if (command === 'DescribeStackDriftDetectionStatus') {
      if (waits === 0) return { DetectionStatus: 'DETECTION_IN_PROGRESS' };
      if (failure !== undefined) return { DetectionStatus: 'DETECTION_FAILED', DetectionStatusReason: failure };
      return { DetectionStatus: 'DETECTION_COMPLETE' };
    }
    const page = Number(input['NextToken'] ?? 0);
    return {
      StackResourceDrifts: pages[page] as StackResourceDrift[],
      ...(page + 1 < pages.length && { NextToken: String(page + 1) }),
    };
  });
  const tools = { cloudFormation: client, print: (line: string) => lines.push(line), wait: async () => (waits += 1) };
  return { outcome: await findDrift(tools, 'PatientInvoicePaymentSandbox'), lines, waits };
}

describe('the drift check', () => {
  test('names what was changed and deleted on all pages, and fails', async () => {
    const deleted = {
      LogicalResourceId: 'Rule',
      ResourceType: 'AWS::Events::Rule',
      StackResourceDriftStatus: 'DELETED',
    };
    const { outcome, lines, waits } = await found([
      [modified('Submit', 'AWS::Lambda::Function', '30', '3')],
      [deleted],
    ]);
    expect({ outcome, waits }).toEqual({ outcome: 1, waits: 1 });
    expect(lines).toEqual([
      'CHANGED   Lambda::Function Submit /A: 3 in place of 30',
      'DELETED   Events::Rule Rule',
      expect.stringMatching(/^A deploy undoes none of this, /),
    ]);
  });

  test('knows a key by its ARN and by its ID, but not another key', async () => {
    const table = (actual: string) =>
      modified('Sessions', 'AWS::DynamoDB::GlobalTable', 'arn:aws:kms:us-east-1:123456789012:key/1234-abcd', actual);
    expect(await found([[table('1234-abcd')]])).toMatchObject({
      outcome: 0,
      lines: [expect.stringContaining('is as')],
    });
    for (const other of ['abcd', 'arn:aws:kms:us-east-1:123456789012:key/9999-abcd'])
      expect((await found([[table(other)]])).outcome).toBe(1);
  });

  test('names a resource that was changed, even if AWS does not say where', async () => {
    const { PropertyDifferences: _, ...changed } = modified('Submit', 'AWS::Lambda::Function', '30', '3');
    const { outcome, lines } = await found([[changed]]);
    expect({ outcome, first: lines[0] }).toEqual({ outcome: 1, first: 'CHANGED   Lambda::Function Submit' });
  });

  test('fails if AWS could not compare everything', async () => {
    const { outcome, lines } = await found([[]], 'Access denied to DataKey.');
    expect(outcome).toBe(1);
    expect(lines).toEqual(['AWS could not compare everything: Access denied to DataKey.']);
  });
});
