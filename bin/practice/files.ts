import { existsSync, renameSync } from 'node:fs';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { roles } from '../../functions/domain/team/member.ts';
import type { LocalStack } from '../../lib/local/stack.ts';
import { OperatorError, operatorSettings, type OperatorFile } from './stack.ts';

export function operatorFileOf(stack: Pick<LocalStack, 'outputs' | 'environment'>): OperatorFile {
  return {
    ...operatorSettings.parse(JSON.parse(stack.outputs['OperatorSettings'] ?? '{}')),
    dynamodbEndpoint: z.url().parse(stack.environment['AWS_ENDPOINT_URL_DYNAMODB']),
    sqsEndpoint: z.url().parse(stack.environment['AWS_ENDPOINT_URL_SQS']),
    s3Endpoint: z.url().parse(stack.environment['AWS_ENDPOINT_URL_S3']),
    cognitoEndpoint: z.url().parse(stack.environment['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER']),
    region: z.string().parse(stack.environment['AWS_REGION']),
    allowLoopbackWebhooks: true,
  };
}

const demoPractice = z.object({
  practiceId: z.string(),
  apiKey: z.string(),
  webhookUrl: z.string(),
  signingSecret: z.string(),
  endpointId: z.string(),
  /** Empty in production. */
  testBankCredentials: z
    .array(z.object({ scenario: z.string(), username: z.string(), password: z.string() }))
    .default([]),
});
export type DemoPractice = z.infer<typeof demoPractice>;

/** A live practice has no key at first. */
export const createdPractice = demoPractice.extend({ apiKey: z.string().optional() });
export type CreatedPractice = z.infer<typeof createdPractice>;

const demoPlatform = z.object({
  platformId: z.string(),
  apiKey: z.string(),
  webhookUrl: z.string(),
  signingSecret: z.string(),
  endpointId: z.string(),
  practices: z.array(z.object({ practiceId: z.string(), name: z.string(), testBankPassword: z.string() })),
});
export type DemoPlatform = z.infer<typeof demoPlatform>;

const stackFile = z.object({
  apiUrl: z.string(),
  hostedUrl: z.string(),
  dashboardUrl: z.string(),
  docsUrl: z.string(),
  dashboardUsers: z.array(z.object({ email: z.string(), password: z.string(), role: z.enum(roles) })),
  practice: demoPractice,
  platform: demoPlatform.optional(),
});
export type StackFile = z.infer<typeof stackFile>;

/** Exists only while its stack answers, so that scripts can wait for it. */
const stackFileName = 'stack.json';
/** What the last run's `stack.json` said. */
const lastStackFileName = 'last-stack.json';

export function readStackFile(dataDirectory: string): Promise<StackFile | undefined> {
  return readFileOfRun(join(dataDirectory, stackFileName));
}

/** What an earlier run said. The demo's API keys are stored nowhere else. */
export function readLastStackFile(dataDirectory: string): Promise<StackFile | undefined> {
  return readFileOfRun(join(dataDirectory, lastStackFileName));
}

async function readFileOfRun(path: string): Promise<StackFile | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { data: file } = stackFile.safeParse(JSON.parse(text));
  if (!file)
    throw new OperatorError(`${path} was written by another version. Start over with \`npm start -- --fresh\`.`);
  return file;
}

/** Removes `stack.json`, but keeps its content for the next run. */
export function setStackFileAside(dataDirectory: string): void {
  const path = join(dataDirectory, stackFileName);
  if (existsSync(path)) renameSync(path, join(dataDirectory, lastStackFileName));
}

const changedEndpoint = z.object({ url: z.string().optional(), signingSecret: z.string().optional() });

/** Writes the demo endpoint's new secret or URL to `stack.json`. */
export async function keepStackFile(dataDirectory: string, endpoint: string, answer: object): Promise<void> {
  const content = await readStackFile(dataDirectory);
  if (!content || content.practice.endpointId !== endpoint) return;
  const { url, signingSecret } = changedEndpoint.parse(answer);
  await writeStackFile(dataDirectory, {
    ...content,
    practice: {
      ...content.practice,
      ...(url !== undefined && { webhookUrl: url }),
      ...(signingSecret !== undefined && { signingSecret }),
    },
  });
}

export async function writeStackFile(dataDirectory: string, content: StackFile): Promise<void> {
  await writePrivateFile(join(dataDirectory, stackFileName), content);
}

/** Writes atomically, readable only by the owner: it contains keys. */
export async function writePrivateFile(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Writes one JSON object per line to a file that only the owner can read. Returns the number of lines. */
export async function writeLines(path: string, pages: AsyncIterable<readonly object[]>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let lines = 0;
  try {
    for await (const rows of pages) {
      await file.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      lines += rows.length;
    }
  } finally {
    await file.close();
  }
  return lines;
}
