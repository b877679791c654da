import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { simulateSessionBody } from '../../functions/contract/sessions/sandbox-session.ts';
import {
  freeCommand,
  author,
  type Context,
  type Terminal,
  described,
  session,
  ofPractice,
  optional,
  text,
} from './command.ts';
import { describe, answerText, fields, printable, type Page } from './layout.ts';
import { ofApi, openPracticeApi, clientOf, type Chosen, type PracticeApi } from './practice-client.ts';
import { generateSigningSecret } from '../../functions/domain/webhooks/webhook-signature.ts';
import { addKey, revokeKey } from '../../functions/practices/keys.ts';
import { eventOf, type ListedEvent } from '../../web/client/index.ts';
import { openFeed, forward, requireLoopback, type Forwarded } from './listen.ts';

const group = 'Sandbox';

const listen = freeCommand({
  group,
  summary: 'Show events live, and forward them to a receiver on this machine, until Ctrl-C.',
  options: {
    forwardTo: text('URL', 'a receiver on this machine; events are signed', 'http://127.0.0.1:4900/webhooks'),
    practiceId: optional(
      ofPractice.practiceId,
      'listen to this practice, with a temporary key: needs access to the stack',
    ),
    ...ofApi,
  },
  run: async (context, { forwardTo: target, practiceId, ...chosen }) => {
    const receiver = target === undefined ? undefined : await requireLoopback(target);
    const signal = context.terminal.onInterrupt();
    const api = await (practiceId === undefined
      ? openPracticeApi(context.place, chosen)
      : openWithOwnKey(context, practiceId, chosen));
    try {
      const counts = await relay(context, api, receiver, signal);
      return { result: counts, show: () => countsText(counts, receiver !== undefined) };
    } finally {
      await api.close?.();
    }
  },
});

export const sandboxCommands = {
  listen,
  simulate: freeCommand({
    group,
    summary: "Simulate a session's patient and the bank's first outcome.",
    options: {
      sessionId: session,
      as: described(simulateSessionBody.shape.as.clone(), {
        placeholder: 'USER',
        summary: 'a test user, or expire',
        example: 'user_good',
      }),
      ...ofApi,
    },
    run: (context, { sessionId, as, ...chosen }) =>
      inSandbox(context, chosen, (sandbox) => sandbox.simulate(sessionId, as)),
  }),
  advance: freeCommand({
    group,
    summary: "Perform the bank's next outcome now.",
    options: { sessionId: session, ...ofApi },
    run: (context, { sessionId, ...chosen }) => inSandbox(context, chosen, (sandbox) => sandbox.advance(sessionId)),
  }),
};

type Sandbox = PracticeApi['client']['sandbox'];

async function inSandbox({ place }: Context, chosen: Chosen, act: (sandbox: Sandbox) => Promise<object>) {
  const { client } = await openPracticeApi(place, chosen);
  const result = await act(client.sandbox);
  return { result, show: (page: Page) => describe(page, result) };
}

interface Counts {
  readonly events: number;
  readonly forwarded: number;
  readonly failed: number;
}

async function relay(
  { terminal, json }: Pick<Context, 'terminal' | 'json'>,
  { client, apiUrl }: PracticeApi,
  receiver: URL | undefined,
  signal: AbortSignal,
): Promise<Counts> {
  const counts = { events: 0, forwarded: 0, failed: 0 };
  const signingSecret = generateSigningSecret(randomBytes);
  const onConnection = (state: 'lost' | 'restored') =>
    terminal.note(state === 'lost' ? 'The API does not answer. Trying again …' : 'The API answers again.');
  try {
    const feed = await openFeed({ events: client.events, signal, onConnection });
    const start = { listeningTo: apiUrl, ...(receiver && { forwardingTo: receiver.href, signingSecret }) };
    terminal.print(json ? JSON.stringify(start) : startText(start, terminal));
    for await (const event of feed) {
      const forwarded = receiver && (await forward(receiver, event, { signingSecret, signal }));
      signal.throwIfAborted();
      counts.events += 1;
      if (forwarded) counts[isDelivered(forwarded) ? 'forwarded' : 'failed'] += 1;
      terminal.print(json ? printable(JSON.stringify({ ...event, forwarded })) : eventText(event, forwarded, terminal));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return counts;
}

/** Adds a key for this run only, and revokes it at the end. */
async function openWithOwnKey(
  { openStack, now }: Context,
  practiceId: string,
  { api, key }: Chosen,
): Promise<PracticeApi> {
  if (key !== undefined) throw new InvalidArgumentError('Give --practice or --key, not both.');
  const stack = await openStack();
  if (stack.mode === 'live') throw new InvalidArgumentError('This stack is live. Use a sandbox.');
  const wanted = { practiceId, author, name: 'listen', scopes: ['events:read'], expiresInDays: 7 };
  const { keyId, apiKey } = await addKey(stack, wanted, now);
  const apiUrl = api ?? stack.apiUrl;
  return {
    apiUrl,
    client: clientOf(apiUrl, apiKey),
    close: async () => void (await revokeKey(stack, { practiceId, keyId, author }, Date.now())),
  };
}

function startText(
  { listeningTo, forwardingTo, signingSecret }: { listeningTo: string; forwardingTo?: string; signingSecret?: string },
  page: Page,
): string {
  const lines = fields(page, [
    ['Listening to', listeningTo],
    ['Forwarding to', forwardingTo],
    ['Signed with', signingSecret && `${signingSecret}  (only in this run)`],
  ]);
  return `${lines}\nPress Ctrl-C to stop.\n`;
}

function eventText(event: ListedEvent, forwarded: Forwarded | undefined, terminal: Terminal): string {
  const { data } = eventOf(event);
  const start = [`${event.createdAt.slice(11, 19)}Z`, event.type, ...('invoiceId' in data ? [data.invoiceId] : [])];
  const end = [event.eventId, ...(forwarded ? [answerText(forwarded)] : [])];
  const lines = [start, end].map((parts) => parts.join('  '));
  const isWide =
    [...start, ...end].map(({ length }) => length + 2).reduce((sum, length) => sum + length) > terminal.width;
  return lines.map(printable).join(isWide ? `\n${' '.repeat(11)}` : '  ');
}

function isDelivered({ statusCode = 0 }: Forwarded): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function countsText({ events, forwarded, failed }: Counts, forwards: boolean): string {
  const total = `${events} ${events === 1 ? 'event' : 'events'}`;
  return forwards ? `${total}: ${forwarded} forwarded, ${failed} refused or not answered.` : `${total}.`;
}
