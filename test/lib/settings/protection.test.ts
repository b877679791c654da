import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { expect, test } from 'vitest';
import { Data } from '../../../lib/constructs/data.ts';
import { retainData } from '../../../lib/settings/settings.ts';
import { SignIn } from '../../../lib/constructs/sign-in.ts';

function templateOf(protect: boolean) {
  const stack = new Stack(new App(), 'Stack', { env: { region: 'us-east-1' } });
  new Data(stack, 'Data', { mode: 'sandbox', protect });
  new SignIn(stack, 'SignIn', { dashboardUrl: 'https://practice.example.com', issuer: undefined, protect });
  new LogGroup(stack, 'Log');
  new Bucket(stack, 'Page', { removalPolicy: RemovalPolicy.RETAIN });
  retainData(stack);
  return Template.fromStack(stack);
}

test.each([true, false])('tables and users are protected from deletion as the setting says: %s', (protect) => {
  const template = templateOf(protect);
  const tables = Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));
  expect(tables.length).toBeGreaterThan(9);
  for (const table of tables)
    expect(table).toMatchObject({ Properties: { Replicas: [{ DeletionProtectionEnabled: protect }] } });
  template.hasResourceProperties('AWS::Cognito::UserPool', { DeletionProtection: protect ? 'ACTIVE' : 'INACTIVE' });
});

test('what outlives the stack is still rolled back with its own creation, except buckets, which may hold files', () => {
  const resources = Object.values(templateOf(true).toJSON()['Resources'] as Record<string, Retained>);
  const kept = resources.filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'));
  expect(kept.filter(({ UpdateReplacePolicy }) => UpdateReplacePolicy !== 'Retain')).toEqual([]);
  const policies = new Set(kept.map(({ Type, DeletionPolicy }) => `${Type} ${DeletionPolicy}`));
  expect([...policies].sort()).toEqual([
    'AWS::Cognito::UserPool RetainExceptOnCreate',
    'AWS::DynamoDB::GlobalTable RetainExceptOnCreate',
    'AWS::KMS::Key RetainExceptOnCreate',
    'AWS::Logs::LogGroup RetainExceptOnCreate',
    'AWS::S3::Bucket Retain',
  ]);
});

interface Retained {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}
