import { outcomeText, table, type Page } from './layout.ts';
import { since } from '../../functions/contract/text.ts';
import { enableBrokenEndpoints } from '../../functions/webhooks/enable-broken-endpoints.ts';
import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  updateEndpoint,
} from '../../functions/webhooks/webhook-endpoints.ts';
import { rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import {
  author,
  command,
  described,
  list,
  ofEndpoint,
  ofOwner,
  optional,
  requiredText,
  text,
  wholeNumber,
} from './command.ts';
import { keepStackFile } from './files.ts';
import { suggested, type OperatedStack } from './stack.ts';

const group = 'Webhooks';
const retry = () => text('POLICY', 'standard, or all: every response but 2xx and 410', 'all');
const url = requiredText(
  'URL',
  'https on port 443; on a local stack also http on this machine; at most 500 characters',
  'https://example.com/webhooks',
);
const events = (all: string) =>
  list('TYPES', `event types with commas; ${all}`, 'session.payment.succeeded,session.payment.failed');
const practices = (all: string) =>
  list('IDS', `of a platform's practices, with commas; ${all}`, 'prc_HCAR7MeEt5v8Kv79apPA');

export const endpointCommands = {
  'list-webhooks': command({
    group,
    summary: 'List endpoints with their status and health, without their secrets.',
    options: ofOwner,
    run: (stack, { practice: practiceId }) => listEndpoints(stack, { practiceId }),
    show: ({ endpoints }, page) =>
      table(
        page,
        ['Endpoint', 'Status', 'Why', 'Failing since', 'Last failure', 'Retry', 'Events', 'Practices', 'URL'],
        endpoints.map((each) => [
          each.endpointId,
          each.status,
          each.disabledReason,
          each.failingSince,
          each.lastFailure && outcomeText(each.lastFailure),
          each.retryPolicy ?? 'standard',
          each.eventTypes?.join(',') ?? 'all',
          each.practiceIds?.join(','),
          each.url,
        ]),
      ),
  }),
  'add-webhook': command({
    group,
    summary: 'Add an endpoint and print its signing secret.',
    options: {
      ...ofOwner,
      url,
      events: events('by default all that need not be named'),
      practices: practices('all by default'),
      retry: retry(),
    },
    run: (
      stack,
      { practice: practiceId, url: target, events: eventTypes, practices: practiceIds, retry: retryPolicy },
      now,
    ) => addEndpoint(stack, { practiceId, author, url: target, eventTypes, practiceIds, retryPolicy }, now),
  }),
  'update-webhook': command({
    group,
    summary: "Change an endpoint's URL, events or retries.",
    options: {
      ...ofEndpoint,
      url: optional(url),
      events: events('`all` for every type that need not be named'),
      practices: practices('`all` for every practice'),
      retry: retry(),
    },
    run: async (
      stack,
      { practice: practiceId, endpoint: endpointId, url: target, retry: retryPolicy, ...filters },
      now,
    ) => {
      const { events: eventTypes, practices: practiceIds } = filters;
      const change = { practiceId, endpointId, author, url: target, eventTypes, practiceIds, retryPolicy };
      const changed = await updateEndpoint(stack, change, now);
      return target !== undefined && changed.status === 'enabled' ? withReplay(stack, practiceId, changed) : changed;
    },
    after: keepDemoEndpoint,
  }),
  'enable-webhook': command({
    group,
    summary: 'Turn an endpoint on, and print the command that replays what it missed.',
    options: ofEndpoint,
    run: async (stack, { practice: practiceId, endpoint: endpointId }, now) =>
      withReplay(stack, practiceId, await enableEndpoint(stack, { practiceId, endpointId, author }, now)),
  }),
  'enable-webhooks': command({
    group,
    summary: 'After an outage of ours: enable all endpoints, of every practice, that were disabled as failing.',
    options: {
      disabledSince: described(since.clone(), {
        placeholder: 'DATE',
        summary: 'the earliest',
        example: '2026-11-20T09:00:00Z',
      }),
    },
    run: async (stack, { disabledSince }, now, terminal) => {
      const endpoints: Enabled[] = [];
      try {
        for await (const each of enableBrokenEndpoints(stack, { disabledSince, author }, now))
          endpoints.push(withReplay(stack, each.practiceId, each));
      } catch (error) {
        if (endpoints.length > 0)
          terminal.note(
            `Enabled before the failure, the last one perhaps not:\n${enabledText(endpoints, terminal)}\nRun this again for the rest.`,
          );
        throw error;
      }
      return { endpoints };
    },
    show: ({ endpoints }, page) => enabledText(endpoints, page),
  }),
  'disable-webhook': command({
    group,
    summary: 'Turn an endpoint off. Its deliveries are kept as skipped.',
    options: ofEndpoint,
    run: (stack, { practice: practiceId, endpoint: endpointId }, now) =>
      disableEndpoint(stack, { practiceId, endpointId, author }, now),
  }),
  'rotate-secret': command({
    group,
    summary: "Replace an endpoint's signing secret. The old one keeps signing for a while.",
    options: {
      ...ofEndpoint,
      keepOldHours: wholeNumber('how long the old one signs too, 0 to 168; 24 by default', '0'),
    },
    run: (stack, { practice: practiceId, endpoint: endpointId, keepOldHours }, now) =>
      rotateSecret(stack, { practiceId, endpointId, author, keepOldHours }, now),
    after: keepDemoEndpoint,
  }),
  'delete-webhook': command({
    group,
    summary: 'Delete an endpoint. Its pending deliveries are skipped.',
    options: ofEndpoint,
    run: (stack, { practice: practiceId, endpoint: endpointId }, now) =>
      deleteEndpoint(stack, { practiceId, endpointId, author }, now),
  }),
};

interface Enabled {
  readonly practiceId: string;
  readonly endpointId: string;
  readonly replay?: string;
}

function enabledText(endpoints: readonly Enabled[], page: Page): string {
  return table(
    page,
    ['Practice', 'Endpoint', 'To replay what it missed'],
    endpoints.map(({ practiceId, endpointId, replay }) => [practiceId, endpointId, replay]),
  );
}

async function keepDemoEndpoint(
  { dataDirectory }: OperatedStack,
  { endpoint }: { readonly endpoint: string },
  result: object,
): Promise<void> {
  if (dataDirectory !== undefined) await keepStackFile(dataDirectory, endpoint, result);
}

function withReplay<Answer extends { readonly endpointId: string; readonly missedSince: string | undefined }>(
  { target }: OperatedStack,
  practice: string,
  answer: Answer,
): Answer & { readonly replay?: string } {
  const { endpointId: endpoint, missedSince } = answer;
  if (missedSince === undefined) return answer;
  return { ...answer, replay: suggested('replay', { practice, endpoint, since: missedSince }, target) };
}
