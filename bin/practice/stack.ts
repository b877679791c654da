import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { deadLetterQueue } from '../../functions/webhooks/redrive.ts';
import { modes } from '../../functions/domain/mode.ts';
import { second } from '../../functions/domain/time.ts';
import { deadLetterMessages } from '../../functions/messages/dead-letters.ts';
import { putLockedCopy } from '../../functions/messages/payments/locked-copy.ts';
import { filePutter } from '../../functions/messages/practices/page-files.ts';
import { ticketSender } from '../../functions/messages/queues.ts';
import { userPool } from '../../functions/messages/team/user-pool.ts';
import { connect } from '../../functions/store/database.ts';
import { dynamoDb, type Call } from '../../functions/store/dynamodb.ts';
import { findStack } from '../../lib/deploy/find-stack.ts';
import { shellRegion } from '../../lib/deploy/region.ts';

/** Which stack the command works on. */
export interface Place {
  /** The local stack's data directory. */
  readonly data: string;
  /** A deployed stack's name, to use instead of the local stack. */
  readonly stack?: string | undefined;
}

/** An error that the operator can fix. The message says how. */
export class OperatorError extends Error {
  readonly code: 'command_refused' | 'stack_unreachable';

  constructor(message: string, code: OperatorError['code'] = 'command_refused') {
    super(message);
    this.code = code;
  }
}

/** The stack's `OperatorSettings` output. */
export const operatorSettings = z.object({
  tables: z.record(z.string(), z.string()),
  deadLetters: z.array(deadLetterQueue),
  pageBucket: z.string(),
  /** Production only. */
  evidenceBucket: z.string().optional(),
  apiUrl: z.url(),
  mode: z.enum(modes),
  dashboardUrl: z.url(),
  issuer: z.url(),
  userPoolId: z.string().optional(),
});

const operatorFile = operatorSettings.extend({
  dynamodbEndpoint: z.url(),
  sqsEndpoint: z.url(),
  s3Endpoint: z.url(),
  cognitoEndpoint: z.url(),
  region: z.string(),
  allowLoopbackWebhooks: z.boolean(),
});
export type OperatorFile = z.infer<typeof operatorFile>;

export const operatorFileName = 'operator.json';
export const defaultDataDirectory = '.local';

/** Connects to a local stack, which accepts any credentials. */
export function openLocal(file: OperatorFile, dataDirectory = defaultDataDirectory): OperatedStack {
  const { dynamodbEndpoint, sqsEndpoint, s3Endpoint, cognitoEndpoint, region } = file;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const { allowLoopbackWebhooks } = file;
  return open(
    file,
    { target: targetOf({ data: dataDirectory }), dataDirectory, allowLoopbackWebhooks },
    {
      callDynamoDb: dynamoDb({ endpoint: dynamodbEndpoint, region, credentials }),
      s3: new S3Client({ endpoint: s3Endpoint, region, credentials }),
      sqs: new SQSClient({ endpoint: sqsEndpoint, region, credentials }),
      cognito: new CognitoIdentityProviderClient({ endpoint: cognitoEndpoint, region, credentials }),
    },
  );
}

interface Clients {
  readonly callDynamoDb: Call;
  readonly s3: S3Client;
  readonly sqs: SQSClient;
  readonly cognito: CognitoIdentityProviderClient;
}

interface Opened {
  /** ` --stack NAME` or ` --data DIR`; empty for the default. */
  readonly target: string;
  /** Present for a local stack. */
  readonly dataDirectory: string | undefined;
  readonly allowLoopbackWebhooks: boolean;
}

/** The tools that the command passes to use cases. */
export type OperatedStack = ReturnType<typeof open>;

function open(settings: z.infer<typeof operatorSettings>, place: Opened, { callDynamoDb, s3, sqs, cognito }: Clients) {
  const { deadLetters, pageBucket, evidenceBucket, apiUrl, mode, dashboardUrl, issuer, userPoolId } = settings;
  const deliveries = deadLetters.find(({ name }) => name === 'FailedDeliveries');
  return {
    ...place,
    apiUrl,
    database: connect(settings.tables, callDynamoDb),
    mode,
    randomBytes,
    pause: (milliseconds: number): Promise<void> => setTimeout(milliseconds),
    putFile: filePutter(pageBucket, s3),
    putLockedCopy: evidenceBucket === undefined ? undefined : (now: number) => putLockedCopy(s3, evidenceBucket, now),
    // Without a queue, the sweep sends the tickets within a minute.
    sendDeliveries: deliveries?.kind === 'ticket' ? ticketSender(deliveries.target, sqs) : async () => undefined,
    dashboardUrl,
    /** Where users of the dashboard sign in. */
    issuer,
    /** Absent if the stack uses another issuer. */
    userPool: userPoolId === undefined ? undefined : userPool(userPoolId, cognito),
    deadLetterQueues: deadLetters,
    deadLetterMessages: deadLetterMessages(sqs),
  };
}

export function openStack({ data, stack }: Place): Promise<OperatedStack> {
  return stack === undefined ? findLocalStack(data) : findDeployedStack(stack);
}

const longestAnswer = 5 * second;

async function findLocalStack(dataDirectory: string): Promise<OperatedStack> {
  const text = await readFile(join(dataDirectory, operatorFileName), 'utf8').catch(() => {
    throw noLocalStack(dataDirectory);
  });
  const { data: file } = operatorFile.safeParse(JSON.parse(text));
  if (!file)
    throw new OperatorError(
      `The local stack in ${dataDirectory} was started by another version. Restart it with \`${startCommand(dataDirectory)}\`.`,
    );
  await requireAnswer(file.dynamodbEndpoint, dataDirectory);
  return openLocal(file, dataDirectory);
}

/** Throws an OperatorError that says how to start the local stack unless its server at `url` answers. */
export async function requireAnswer(url: string, dataDirectory: string): Promise<void> {
  const start = startCommand(dataDirectory);
  await fetch(url, { signal: AbortSignal.timeout(longestAnswer) }).catch((error: unknown) => {
    const isSilent = error instanceof Error && error.name === 'TimeoutError';
    throw new OperatorError(
      isSilent
        ? `The local stack in ${dataDirectory} does not answer. Stop it, and start it again with \`${start}\`.`
        : `The local stack in ${dataDirectory} is not running. Start it with \`${start}\`.`,
      'stack_unreachable',
    );
  });
}

function startCommand(dataDirectory: string): string {
  const target = targetOf({ data: dataDirectory });
  return `npm start${target && ` --${target}`}`;
}

export function noLocalStack(dataDirectory: string): OperatorError {
  return new OperatorError(
    `There is no local stack in ${dataDirectory}. Start one with \`${startCommand(dataDirectory)}\`, or choose another stack with --data DIR or --stack NAME.`,
  );
}

/** ` --stack NAME` or ` --data DIR`; empty for the default. */
export function targetOf({ data, stack }: Place): string {
  if (stack !== undefined) return ` --stack ${shellWord(stack)}`;
  return data === defaultDataDirectory ? '' : ` --data ${shellWord(data)}`;
}

/** The flags whose options have another name. */
const flags: Readonly<Record<string, string>> = { eventTypes: 'events', retryPolicy: 'retry', primaryColor: 'color' };

/** `linkLifetimeDays` is `--link-lifetime-days`, and `practiceId` is `--practice`. */
export function flagOf(name: string): string {
  const words = flags[name] ?? name.replace(/Id(s?)$/, '$1');
  return `--${words.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A complete command to copy. */
export function suggested(name: string, options: Readonly<Record<string, string>>, target: string): string {
  const typed = Object.entries(options).map(([option, value]) => ` ${flagOf(option)} ${shellWord(value)}`);
  return `npm run -s practice -- ${name}${typed.join('')}${target}`;
}

function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The region for the clients of a deployed stack. Throws an OperatorError if none is set. */
export async function requireRegion(): Promise<{ readonly region: string }> {
  const region = await shellRegion(process.env);
  if (region === undefined) throw new OperatorError('Set AWS_REGION, or give your AWS profile a region.');
  return { region };
}

/** Uses the AWS credentials and region of the shell. */
async function findDeployedStack(stackName: string): Promise<OperatedStack> {
  const shell = await requireRegion();
  const found = await findStack(new CloudFormationClient(shell), stackName);
  if (!found)
    throw new OperatorError(
      `There is no stack ${stackName} in ${shell.region}. Check --stack, or set AWS_REGION to its region.`,
    );
  const output = found.Outputs?.find(({ OutputKey }) => OutputKey === 'OperatorSettings')?.OutputValue;
  if (output === undefined)
    throw new OperatorError(`The stack ${stackName} has no output OperatorSettings. Is it a stack of this service?`);
  const place = {
    target: targetOf({ data: defaultDataDirectory, stack: stackName }),
    dataDirectory: undefined,
    allowLoopbackWebhooks: false,
  };
  return open(operatorSettings.parse(JSON.parse(output)), place, {
    callDynamoDb: dynamoDb(shell),
    s3: new S3Client(shell),
    sqs: new SQSClient(shell),
    cognito: new CognitoIdentityProviderClient(shell),
  });
}
