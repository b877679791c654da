import * as z from 'zod/mini';
import type { Problem } from '../../functions/contract/problem.ts';
import { requestErrors } from '../../functions/contract/request-errors.ts';
import type { Command, Typed } from './command.ts';
import { suggested, targetOf, type Place } from './stack.ts';

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
  { typed, place }: { readonly typed: Typed; readonly place: Place },
): string {
  if (code === 'contact_required') return `${message} Use --support-phone or --support-email.`;
  const remedy = remedies[code];
  if (!remedy) return message;
  const options = remedy.options.flatMap((name) => (typed[name] === undefined ? [] : [[name, typed[name]] as const]));
  return `${message}\n${remedy.says}: ${suggested(remedy.command, Object.fromEntries(options), targetOf(place))}`;
}

/** The options that a problem can be about. */
const blamed: Partial<Record<Problem['code'], readonly string[]>> = {
  logo_not_accepted: ['logo'],
  queue_not_found: ['queue'],
  since_in_future: ['since', 'disabled-since'],
  webhook_url_not_allowed: ['url', 'webhook-url'],
};

const faultyInput = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });

/** One line per missing or wrong option. Undefined if the options are not to blame. */
export function inputErrors(problem: Problem, { options }: Pick<Command, 'options'>, typed: Typed): string | undefined {
  const wrong = blamed[problem.code]?.find((name) => typed[name] !== undefined);
  if (wrong !== undefined) return `--${wrong} is wrong. ${problem.message}`;
  if (problem.code !== 'invalid_request') return undefined;
  const { data } = z.safeParse(faultyInput, problem.extra);
  const faulty = data?.errors.filter(({ pointer }) => pointer !== '') ?? [];
  if (faulty.length === 0) return problem.message;
  const lines = faulty.map(({ pointer, detail }) => {
    const name = optionOf(pointer);
    const help = options[name];
    const expected = help && `${help.summary}, such as ${help.example}`;
    if (typed[name] === undefined) return `--${name} is missing${expected ? `: ${expected}` : ''}.`;
    return generic.has(detail) && expected
      ? `--${name} is wrong. It takes ${expected}.`
      : `--${name} is wrong. ${detail}`;
  });
  return [...new Set(lines)].join('\n');
}

const generic = new Set<string>(Object.values(requestErrors));

const renamed: Readonly<Record<string, string>> = { eventTypes: 'events', retryPolicy: 'retry', primaryColor: 'color' };

/** `/linkLifetimeDays` is `link-lifetime-days`. */
function optionOf(pointer: string): string {
  const field = pointer.split('/')[1] ?? '';
  return renamed[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
