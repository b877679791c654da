import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, text } from 'node:stream/consumers';
import * as z from 'zod';
import type { Clock } from '../../../functions/domain/time.ts';
import { openHttpServer } from '../http-server.ts';
import { createApi, type ReceivedRequest } from './api.ts';
import { accountsOf, findConnection } from './connections.ts';
import { command, runCommand } from './control.ts';
import { settleDebit } from './debits.ts';
import { returnDebit } from './disputes.ts';
import { StripeError } from './errors.ts';
import { createFaults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { createNotifier } from './notifications.ts';
import { createPages } from './pages.ts';
import { payOutWhenDue } from './payouts.ts';
import { finishRefund } from './refunds.ts';
import { publishedVersion } from './schema-check.ts';
import { newId, openState } from './state.ts';

export const standInOptions = z.object({
  /** The API's port. The pages and the script are on the next one. 0 means any two. */
  port: z.number(),
  /** The file that keeps its state. By default, in memory. */
  file: z.string().optional(),
  secretKey: z.string(),
  publishableKey: z.string(),
  webhookSecret: z.string(),
  connectWebhookSecret: z.string(),
  /** The URL that receives its notifications. */
  notifyUrl: z.string().optional(),
  /** Milliseconds until a bank answers, and then until it returns a debit. */
  outcomeDelay: z.number(),
  /** Milliseconds from the first money to a payout. By default, there are no payouts. */
  payoutDelay: z.number().optional(),
});
export type StandInOptions = z.infer<typeof standInOptions>;

/** Milliseconds. */
const tick = 20;

/** Stands in for Stripe on this machine. Throws SetupError if a port is taken. */
export async function startStandIn(options: StandInOptions, clock?: Clock) {
  const warn = (line: string) => console.error(line);
  const api = await openHttpServer(options.port, warn);
  const script = await openHttpServer(options.port === 0 ? 0 : options.port + 1, warn);
  const apiBase = `http://127.0.0.1:${api.port}`;
  const pageOrigin = `http://127.0.0.1:${script.port}`;

  let { secretKey } = options;
  const state = openState(options.file, secretKey.startsWith('sk_live_'), clock);
  const notifier = createNotifier({ platform: [options.webhookSecret], connect: [options.connectWebhookSecret] });
  notifier.url = options.notifyUrl;
  const ledger: Ledger = {
    state,
    outcomeDelay: options.outcomeDelay,
    payoutDelay: options.payoutDelay,
    record(owner, type, object) {
      const event = state.events.put(owner, {
        id: newId('evt'),
        object: 'event',
        ...(owner !== '' && { account: owner }),
        api_version: publishedVersion,
        created: state.seconds(),
        data: { object: structuredClone(object) },
        livemode: state.livemode,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      });
      notifier.notify(event);
    },
  };
  const requests: ReceivedRequest[] = [];
  const problems: string[] = [];
  const faults = createFaults();
  const serveApi = createApi({ ledger, faults, secretKey: () => secretKey, pageOrigin, requests, problems });

  let held = false;
  const timer = setInterval(() => {
    if (!held && runDue(ledger)) state.save();
  }, tick);

  api.serve(async (request, response) => {
    if (request.url === '/control') await serveControl(request, response);
    else if (request.url === '/stripe_js/connection') await serveStripeJs(request, response);
    else await serveApi(request, response);
  });
  script.serve(createPages({ ledger, apiBase, pageOrigin }));

  /** Serves only programs on this machine: a page of another origin cannot send JSON here. */
  async function serveControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
      return void response.writeHead(415).end();
    const given = command.parse(await json(request));
    const controlled = {
      ledger,
      faults,
      notifier,
      requests,
      problems,
      setSecretKey: (key: string) => void (secretKey = key),
      hold: (now: boolean) => void (held = now),
    };
    const [status, answer] = await runCommand(controlled, given).then(
      (done) => [200, done ?? null] as const,
      (error: unknown) => {
        if (error instanceof StripeError) return [error.status, error.body] as const;
        throw error;
      },
    );
    state.save();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  /** What the script in a patient's browser requests. Its accounts are a plain array. */
  async function serveStripeJs(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const found = findConnection(state, form.get('client_secret') ?? '');
    const known = found?.owner === form.get('account') && form.get('key') === options.publishableKey;
    const error = {
      type: 'invalid_request_error',
      message: 'The client secret, the key and the account do not match.',
    };
    const answer =
      found && known
        ? { financialConnectionsSession: { ...found.value, accounts: accountsOf(state, found.owner, found.value) } }
        : { error };
    const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
    response.writeHead(200, headers).end(JSON.stringify(answer));
  }

  return {
    apiBase,
    scriptUrl: `${pageOrigin}/v3/`,
    async stop(): Promise<void> {
      clearInterval(timer);
      notifier.stop();
      await Promise.all([api.stop(), script.stop()]);
    },
  };
}

/** True if something was due. */
function runDue(ledger: Ledger): boolean {
  const due = ledger.state.tasks.all().filter(({ value }) => value.dueAt <= ledger.state.now());
  for (const { owner, value } of due) {
    switch (value.does) {
      case 'settle':
        settleDebit(ledger, owner, value.id, value.outcome);
        break;
      case 'return':
        returnDebit(ledger, owner, value.id);
        break;
      case 'refund':
        finishRefund(ledger, owner, value.id);
        break;
      case 'pay_out':
        payOutWhenDue(ledger, owner);
        break;
      default:
        value.does satisfies never;
    }
  }
  return due.length > 0;
}
