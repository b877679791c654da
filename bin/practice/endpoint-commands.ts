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
import { command, described, list, ofEndpoint, ofOwner, optional, requiredText, text, wholeNumber } from './command.ts';
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
    run: listEndpoints,
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
      eventTypes: events('all except opt-in types by default'),
      practiceIds: practices('all by default'),
      retryPolicy: retry(),
    },
    run: addEndpoint,
  }),
  'update-webhook': command({
    group,
    summary: "Change an endpoint's URL, events or retries.",
    options: {
      ...ofEndpoint,
      url: optional(url),
      eventTypes: events('`all` for every type that is not opt-in'),
      practiceIds: practices('`all` for every practice'),
      retryPolicy: retry(),
    },
    run: async (stack, change, now) => {
      const changed = await updateEndpoint(stack, change, now);
      const isMoved = change.url !== undefined && changed.status === 'enabled';
      return isMoved ? withReplay(stack, change.practiceId, changed) : changed;
    },
    after: keepDemoEndpoint,
  }),
  'enable-webhook': command({
    group,
    summary: 'Turn an endpoint on, and print the command that replays what it missed.',
    options: ofEndpoint,
    run: async (stack, input, now) => withReplay(stack, input.practiceId, await enableEndpoint(stack, input, now)),
  }),
  'enable-webhooks': command({
    group,
    summary:
      'After our own outage: enable all endpoints, of every practice and platform, that were disabled as failing.',
    options: {
      disabledSince: described(since.clone(), {
        placeholder: 'DATE',
        summary: 'the earliest',
        example: '2026-11-20T09:00:00Z',
      }),
    },
    run: async (stack, outage, now, terminal) => {
      const endpoints: Enabled[] = [];
      try {
        for await (const each of enableBrokenEndpoints(stack, outage, now))
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
    run: disableEndpoint,
  }),
  'rotate-secret': command({
    group,
    summary: "Replace an endpoint's signing secret. The old one keeps signing for a while.",
    options: {
      ...ofEndpoint,
      keepOldHours: wholeNumber('how many hours the old one keeps signing, 0 to 168; 24 by default', '0'),
    },
    run: rotateSecret,
    after: keepDemoEndpoint,
  }),
  'delete-webhook': command({
    group,
    summary: 'Delete an endpoint. Its pending deliveries are skipped.',
    options: ofEndpoint,
    run: deleteEndpoint,
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
  { endpointId }: { readonly endpointId: string },
  result: object,
): Promise<void> {
  if (dataDirectory !== undefined) await keepStackFile(dataDirectory, endpointId, result);
}

function withReplay<Answer extends { readonly endpointId: string; readonly missedSince: string | undefined }>(
  { target }: OperatedStack,
  practiceId: string,
  answer: Answer,
): Answer & { readonly replay?: string } {
  const { endpointId, missedSince } = answer;
  if (missedSince === undefined) return answer;
  return { ...answer, replay: suggested('replay', { practiceId, endpointId, since: missedSince }, target) };
}
