import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { parseApiKey } from '../../functions/domain/practices/api-key.ts';
import { createPaymentClient, type PaymentClient } from '../../web/client/index.ts';
import { readStackFile } from './files.ts';
import { described, text } from './command.ts';
import { noLocalStack, openStack, OperatorError, requireAnswer, type Place } from './stack.ts';

const keyVariable = 'PAYMENTS_API_KEY';

export const ofApi = {
  api: described(z.url({ protocol: /^https?$/, error: 'Use a URL like https://api.example.com.' }).optional(), {
    placeholder: 'URL',
    summary: "the API's address; the stack's by default",
    example: 'https://api.example.com',
  }),
  key: text(
    'KEY',
    `a sandbox API key; better in ${keyVariable}; by default the local demo practice's`,
    'pip_sandbox_…',
  ),
};

export interface PracticeApi {
  readonly apiUrl: string;
  readonly client: PaymentClient;
  /** Revokes the temporary key, if there is one. */
  close?(): Promise<void>;
}

export interface Chosen {
  readonly api?: string | undefined;
  readonly key?: string | undefined;
}

/** A client of the practice API with a sandbox key. Throws commander's InvalidArgumentError for a live one. */
export async function openPracticeApi(place: Place, { api, key }: Chosen): Promise<PracticeApi> {
  const given = key ?? process.env[keyVariable];
  const { apiUrl, demoKey } = api === undefined ? await apiOf(place) : { apiUrl: api };
  const apiKey = given ?? demoKey;
  if (apiKey === undefined) throw new OperatorError(`Set ${keyVariable} to a sandbox API key of the practice.`);
  requireSandboxKey(apiKey);
  return { apiUrl, client: clientOf(apiUrl, apiKey) };
}

export function clientOf(apiUrl: string, apiKey: string): PaymentClient {
  try {
    return createPaymentClient({ apiUrl, apiKey, maximumAttempts: 1, timeout: 10_000 });
  } catch (error) {
    throw new InvalidArgumentError(`--api is wrong: ${error instanceof Error ? error.message : 'not a URL'}.`);
  }
}

async function apiOf(place: Place): Promise<{ apiUrl: string; demoKey?: string }> {
  if (place.stack !== undefined) return openStack(place);
  const file = await readStackFile(place.data);
  if (!file) throw noLocalStack(place.data);
  await requireAnswer(file.apiUrl, place.data);
  return { apiUrl: file.apiUrl, demoKey: file.practice.apiKey };
}

function requireSandboxKey(apiKey: string): void {
  const parsed = parseApiKey(apiKey);
  if (!parsed) throw new InvalidArgumentError('The API key is malformed. It begins with pip_sandbox_: copy all of it.');
  if (parsed.mode === 'live')
    throw new InvalidArgumentError('This is a live key. Use a sandbox key, which begins with pip_sandbox_.');
}
