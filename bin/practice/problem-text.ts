import * as z from 'zod';
import type { Problem } from '../../functions/contract/problem.ts';
import { requestErrors } from '../../functions/contract/request-errors.ts';
import type { PracticeCommand } from './command.ts';
import { flagOf, helpOf } from './option.ts';
import type { TypedCommand } from './program.ts';
import { suggested, targetOf } from './stack.ts';

interface Remedy {
  readonly says: string;
  readonly command: string;
  /** The typed options to repeat in the command. */
  readonly options: readonly string[];
}

const ofPractice = ['practice'];
const ofEndpoint = ['practice', 'endpoint'];

const remedies: Partial<Record<Problem['code'], Remedy>> = {
  practice_not_found: { says: 'All practices', command: 'list', options: [] },
  api_key_not_found: { says: 'Its keys', command: 'list-keys', options: ofPractice },
  webhook_endpoint_not_found: { says: 'Its endpoints', command: 'list-webhooks', options: ofPractice },
  webhook_endpoint_disabled: { says: 'To enable it', command: 'enable-webhook', options: ofEndpoint },
  delivery_in_progress: { says: 'The result will be in', command: 'deliveries', options: ofEndpoint },
};

/** The problem's message and, if a command can help, that command. */
export function problemText(
  { code, message }: Problem,
  { options, place }: Pick<TypedCommand, 'options' | 'place'>,
): string {
  if (code === 'contact_required') return `${message} Use --support-phone or --support-email.`;
  const remedy = remedies[code];
  if (!remedy) return message;
  const repeated = remedy.options.flatMap((name) => {
    const typed = options[name];
    return typeof typed === 'string' ? [[name, typed] as const] : [];
  });
  return `${message}\n${remedy.says}: ${suggested(remedy.command, Object.fromEntries(repeated), targetOf(place))}`;
}

/** The options that a problem can be about. */
const blamed: Partial<Record<Problem['code'], readonly string[]>> = {
  logo_not_accepted: ['logo'],
  queue_not_found: ['queue'],
  since_in_future: ['since', 'disabledSince'],
  webhook_url_not_allowed: ['url', 'webhookUrl'],
};

const faultyInput = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });

/** One line per wrong option. Undefined if the options are not to blame. */
export function inputErrors(
  problem: Problem,
  { options }: Pick<PracticeCommand, 'options'>,
  typed: Readonly<Record<string, unknown>>,
): string | undefined {
  const wrong = blamed[problem.code]?.find((name) => typed[name] !== undefined);
  if (wrong !== undefined) return `${flagOf(wrong)} is wrong. ${problem.message}`;
  if (problem.code !== 'invalid_request') return undefined;
  const { data } = faultyInput.safeParse(problem.extra);
  const faulty = data?.errors.filter(({ pointer }) => pointer !== '') ?? [];
  if (faulty.length === 0) return problem.message;
  const lines = faulty.map(({ pointer, detail }) => {
    const field = pointer.split('/')[1] ?? '';
    const name = renamed[field] ?? field;
    const schema = options[name];
    if (!schema || !generic.has(detail)) return `${flagOf(name)} is wrong. ${detail}`;
    const { summary, example } = helpOf(schema);
    return `${flagOf(name)} is wrong. It takes ${summary}, such as ${example}.`;
  });
  return [...new Set(lines)].join('\n');
}

const generic = new Set<string>(Object.values(requestErrors));

const renamed: Readonly<Record<string, string>> = { eventTypes: 'events', retryPolicy: 'retry', primaryColor: 'color' };
