import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { LocalStack } from './stack.ts';

const settings = z.object({
  tables: z.object({ practices: z.string(), apiKeys: z.string(), webhookEndpoints: z.string() }),
  mode: z.enum(['sandbox', 'live']),
});

/** What the operator's command needs to work on a local stack. */
export function operatorFileOf(stack: Pick<LocalStack, 'outputs' | 'environment'>) {
  const { tables, mode } = z.parse(settings, JSON.parse(stack.outputs['OperatorSettings'] ?? '{}'));
  return {
    dynamodbEndpoint: z.parse(z.url(), stack.environment['AWS_ENDPOINT_URL_DYNAMODB']),
    region: z.parse(z.string(), stack.environment['AWS_REGION']),
    tables,
    mode,
    allowLoopbackWebhooks: true,
  };
}

const seededPractice = z.object({
  practiceId: z.string(),
  apiKey: z.string(),
  webhookUrl: z.string(),
  signingSecret: z.string(),
  endpointId: z.string(),
  testBankCredentials: z.array(z.object({ scenario: z.string(), username: z.string(), password: z.string() })),
});
export type SeededPractice = z.infer<typeof seededPractice>;

const stackFile = z.object({ apiUrl: z.string(), hostedUrl: z.string(), practice: seededPractice });
export type StackFile = z.infer<typeof stackFile>;

const stackFileName = 'stack.json';

/** The practice that an earlier start of the same data directory made; its key cannot be had from anywhere else. */
export async function readSeededPractice(dataDirectory: string): Promise<SeededPractice | undefined> {
  const text = await readFile(join(dataDirectory, stackFileName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const parsed = z.safeParse(stackFile, JSON.parse(text));
  return parsed.success ? parsed.data.practice : undefined;
}

/** Parses what `create` answered; throws where it has no webhook or no test credentials. */
export function parseSeededPractice(created: unknown): SeededPractice {
  return z.parse(seededPractice, created);
}

/** Writes a file whole or not at all, readable by its owner only, since it holds keys. */
export async function writePrivateFile(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

export async function writeStackFile(dataDirectory: string, content: StackFile): Promise<void> {
  await writePrivateFile(join(dataDirectory, stackFileName), content);
}
