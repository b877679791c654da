import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { modes, type Mode } from '../../functions/domain/mode.ts';
import { connect, type Database } from '../../functions/store/database.ts';

export type OperatorTable =
  'practices' | 'apiKeys' | 'webhookEndpoints' | 'authorizations' | 'deliveries' | 'attempts' | 'events';

/** What the operator's command works on: a stack's tables, queues and the hosted page's bucket, and how it is set. */
export interface OperatedStack {
  readonly database: Database<OperatorTable>;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  readonly pageBucket: string;
  readonly deadLetters: readonly DeadLetters[];
  readonly mode: Mode;
  readonly allowLoopbackWebhooks: boolean;
}

/** A fault that the operator can mend; its message says how. */
export class OperatorError extends Error {}

const tables = z.object({
  practices: z.string(),
  apiKeys: z.string(),
  webhookEndpoints: z.string(),
  authorizations: z.string(),
  deliveries: z.string(),
  attempts: z.string(),
  events: z.string(),
});

const deadLetters = z.array(
  z.discriminatedUnion('kind', [
    z.object({ name: z.string(), queueUrl: z.url(), kind: z.literal('ticket'), target: z.url() }),
    z.object({ name: z.string(), queueUrl: z.url(), kind: z.literal('event') }),
    z.object({ name: z.string(), queueUrl: z.url(), kind: z.literal('none') }),
  ]),
);
/** A queue that failures end in; `lib/dead-letters.ts` says what each kind holds. */
export type DeadLetters = z.infer<typeof deadLetters>[number];

/** The output of every stack by which this command finds its way. */
export const operatorSettings = z.object({ tables, deadLetters, pageBucket: z.string(), mode: z.enum(modes) });

/** What a local stack writes for this command, beside its `stack.json`. */
const operatorFile = z.extend(operatorSettings, {
  dynamodbEndpoint: z.url(),
  sqsEndpoint: z.url(),
  s3Endpoint: z.url(),
  region: z.string(),
  allowLoopbackWebhooks: z.boolean(),
});
export type OperatorFile = z.infer<typeof operatorFile>;

export const operatorFileName = 'operator.json';

/** Connects to the tables, queues and bucket that an operator file names, with credentials that are worth nothing. */
export function openLocal({
  dynamodbEndpoint,
  sqsEndpoint,
  s3Endpoint,
  region,
  tables: names,
  ...settings
}: OperatorFile): OperatedStack {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return {
    ...settings,
    database: connect(names, new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials })),
    sqs: new SQSClient({ endpoint: sqsEndpoint, region, credentials }),
    s3: new S3Client({ endpoint: s3Endpoint, region, credentials, forcePathStyle: true }),
  };
}

/** Finds the local stack of a data directory; throws where none is running. */
export async function findLocalStack(dataDirectory: string): Promise<OperatedStack> {
  const text = await readFile(join(dataDirectory, operatorFileName), 'utf8').catch(() => {
    throw new OperatorError(
      `There is no local stack in ${dataDirectory}. Start one with \`npm start\`, or name it with --data DIR or --stack NAME.`,
    );
  });
  const { data: file } = z.safeParse(operatorFile, JSON.parse(text));
  if (!file)
    throw new OperatorError(
      `The local stack in ${dataDirectory} was started by another version. Start it anew with \`npm start\`.`,
    );
  await fetch(file.dynamodbEndpoint).catch(() => {
    throw new OperatorError(`The local stack in ${dataDirectory} is not running. Start it with \`npm start\`.`);
  });
  return openLocal(file);
}

/** Finds a deployed stack by its name, with the AWS credentials and region of the shell. */
export async function findDeployedStack(stackName: string): Promise<OperatedStack> {
  if (!process.env['AWS_REGION'] && !process.env['AWS_DEFAULT_REGION'] && !process.env['AWS_PROFILE'])
    throw new OperatorError('Say where the stack is: set AWS_REGION, or AWS_PROFILE to a profile with a region.');
  const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stackName }));
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'OperatorSettings')?.OutputValue;
  if (output === undefined)
    throw new OperatorError(`The stack ${stackName} has no output OperatorSettings. Is it a stack of this service?`);
  const { tables: names, ...settings } = z.parse(operatorSettings, JSON.parse(output));
  return {
    ...settings,
    database: connect(names),
    sqs: new SQSClient({}),
    s3: new S3Client({}),
    allowLoopbackWebhooks: false,
  };
}
