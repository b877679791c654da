import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { region } from '../../lib/local/account.ts';
import { createGate } from '../../lib/local/permissions/gate.ts';
import { startServer } from '../support/server.ts';

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const under = (id: string, path: string) => ({ 'Fn::Join': ['', [arnOf(id), path]] });
const allow = (Action: string | string[], Resource: unknown, Condition?: object) => ({
  Effect: 'Allow',
  Action,
  Resource,
  Condition,
});
const table = (key: string) => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  Properties: { Replicas: [{ SSESpecification: { KMSMasterKeyId: arnOf(key) } }] },
});
const template = {
  Resources: {
    Worker: { Type: 'AWS::Lambda::Function', Properties: { Runtime: 'nodejs24.x', Role: arnOf('Role') } },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        Policies: [
          {
            PolicyDocument: {
              Statement: [
                allow('sqs:SendMessage', [arnOf('Tickets')]),
                allow('events:PutEvents', arnOf('Bus')),
                allow('s3:PutObject', under('Files', '/logos/*')),
                allow('s3:GetObject', under('Files', '/*')),
                allow('s3:ListBucket', arnOf('Files')),
                allow(
                  'secretsmanager:GetSecretValue',
                  'arn:aws:secretsmanager:us-east-1:000000000000:secret:bank-??????',
                ),
                allow('ses:SendEmail', 'arn:aws:ses:us-east-1:000000000000:identity/payments.example', {
                  StringEquals: { 'ses:FromAddress': 'pay@payments.example' },
                }),
                allow('cognito-idp:AdminCreateUser', arnOf('Pool')),
                allow(['dynamodb:GetItem', 'dynamodb:PutItem'], [arnOf('Rows'), arnOf('Locked'), arnOf('Foreign')]),
                allow('dynamodb:Query', arnOf('Rows'), {
                  'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['id', 'name'] },
                  StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
                }),
                allow(['kms:Decrypt', 'kms:DescribeKey'], [arnOf('Key'), arnOf('ReadKey')], {
                  StringEquals: { 'kms:ViaService': 'dynamodb.us-east-1.amazonaws.com' },
                }),
                allow(
                  [
                    'kms:Encrypt',
                    'kms:GenerateDataKey',
                    'kms:GenerateDataKeyWithoutPlaintext',
                    'kms:ReEncryptFrom',
                    'kms:ReEncryptTo',
                  ],
                  arnOf('Key'),
                ),
                allow(['kms:Decrypt', 'kms:DescribeKey'], arnOf('OtherKey'), {
                  StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' },
                }),
              ],
            },
          },
        ],
      },
    },
    Tickets: { Type: 'AWS::SQS::Queue' },
    Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'bus' } },
    Files: { Type: 'AWS::S3::Bucket' },
    Pool: { Type: 'AWS::Cognito::UserPool' },
    Key: { Type: 'AWS::KMS::Key' },
    ReadKey: { Type: 'AWS::KMS::Key' },
    OtherKey: { Type: 'AWS::KMS::Key' },
    Rows: table('Key'),
    Locked: table('ReadKey'),
    Foreign: table('OtherKey'),
  },
};

async function start() {
  let reached = 0;
  const service = createServer(async (incoming, outgoing) => {
    await text(incoming);
    reached += 1;
    outgoing.setHeader('content-type', 'application/json').end(incoming.method === 'POST' ? '{}' : '');
  });
  const port = await startServer(service);
  const gate = createGate(template, { onDecision: () => {} });
  onTestFinished(() => gate.close());
  const settings = {
    endpoint: await gate.open(`http://127.0.0.1:${port}`),
    region,
    credentials: { accessKeyId: 'Worker', secretAccessKey: 'x' },
    maxAttempts: 1,
  };
  return { settings, reached: () => reached };
}
type Settings = Awaited<ReturnType<typeof start>>['settings'];

const send = (queue: string) => (settings: Settings) =>
  new SQSClient(settings).send(
    new SendMessageBatchCommand({
      QueueUrl: `${settings.endpoint}/000000000000/${queue}`,
      Entries: [{ Id: '1', MessageBody: '{}' }],
    }),
  );
const publish =
  (...buses: string[]) =>
  (settings: Settings) =>
    new EventBridgeClient(settings).send(
      new PutEventsCommand({
        Entries: buses.map((EventBusName) => ({ EventBusName, Source: 's', DetailType: 't', Detail: '{}' })),
      }),
    );
const s3 = (settings: Settings) => new S3Client({ ...settings, forcePathStyle: true });
const put = (Key: string) => (settings: Settings) =>
  s3(settings).send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'x' }));
const readSecret = (SecretId: string) => (settings: Settings) =>
  new SecretsManagerClient(settings).send(new GetSecretValueCommand({ SecretId }));
const mailFrom = (FromEmailAddress: string) => (settings: Settings) =>
  new SESv2Client(settings).send(
    new SendEmailCommand({
      FromEmailAddress,
      Destination: { ToAddresses: ['a@b.example'] },
      Content: { Simple: { Subject: { Data: 's' }, Body: {} } },
    }),
  );
const database = (settings: Settings) => new DynamoDBClient(settings);
const getRow = (TableName: string) => (settings: Settings) =>
  database(settings).send(new GetItemCommand({ TableName, Key: { id: { S: '1' } } }));
const putRow = (TableName: string) => (settings: Settings) =>
  database(settings).send(new PutItemCommand({ TableName, Item: { id: { S: '1' } } }));
const query =
  (...names: string[]) =>
  (settings: Settings) =>
    database(settings).send(
      new QueryCommand({
        TableName: 'Rows',
        KeyConditionExpression: '#id = :id',
        ProjectionExpression: names.join(', '),
        ExpressionAttributeNames: { '#id': 'id', '#name': 'name' },
        ExpressionAttributeValues: { ':id': { S: '1' } },
        Select: 'SPECIFIC_ATTRIBUTES',
      }),
    );
const user = { UserPoolId: 'Pool', Username: 'ada@example.com' };

describe('a function', () => {
  it.each<[string, (settings: Settings) => Promise<unknown>]>([
    ['send to its queue', send('Tickets')],
    ['publish on its bus, by name', publish('bus')],
    ['publish on its bus, by ARN', publish('arn:aws:events:us-east-1:000000000000:event-bus/bus')],
    ['put a file into its folder', put('logos/é b.png')],
    ['look for a file', (settings) => s3(settings).send(new HeadObjectCommand({ Bucket: 'files', Key: 'a' }))],
    ['read its secret', readSecret('bank')],
    ['send email from its address', mailFrom('pay@payments.example')],
    ['create a user', (settings) => new CognitoIdentityProviderClient(settings).send(new AdminCreateUserCommand(user))],
    ['read and write a table with its key', putRow('Rows')],
    ['read a table with a key that it may read with', getRow('Locked')],
    ['query the attributes that it may know', query('#id', 'name')],
  ])('may %s', async (_, call) => {
    const { settings, reached } = await start();
    await call(settings);
    expect(reached()).toBe(1);
  });

  it.each<[string, (settings: Settings) => Promise<unknown>]>([
    ['send to another queue', send('Other')],
    ['publish on another bus at once', publish('bus', 'other')],
    ['put a file elsewhere', put('index.html')],
    ['delete a file', (settings) => s3(settings).send(new DeleteObjectCommand({ Bucket: 'files', Key: 'logos/a' }))],
    [
      'look for a file of another bucket',
      (settings) => s3(settings).send(new HeadObjectCommand({ Bucket: 'others', Key: 'a' })),
    ],
    ['read another secret', readSecret('bank2')],
    ['send email from another address of its domain', mailFrom('admin@payments.example')],
    ['delete a user', (settings) => new CognitoIdentityProviderClient(settings).send(new AdminDeleteUserCommand(user))],
    ['write a table with a key that it may only read with', putRow('Locked')],
    ['read a table whose key it may use only through another service', getRow('Foreign')],
    ['query another attribute', query('#id', 'secret')],
  ])('may not %s', async (_, call) => {
    const { settings, reached } = await start();
    // The answer to HEAD has no body that could name it.
    await expect(call(settings)).rejects.toMatchObject({ name: expect.stringMatching(/^AccessDenied|^Unknown$/) });
    expect(reached()).toBe(0);
  });
});
