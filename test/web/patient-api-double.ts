import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { sessionView, type SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import type { PatientProblemCode } from '../../functions/contract/problem.ts';
import { livePatientRoutes, mailPatientRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import { buildHostedPage } from '../../lib/build/pages.ts';
import { framePolicy } from '../../lib/build/content-security-policy.ts';
import { problems } from '../support/problems.ts';
import { builtViewerFunction } from '../support/viewer.ts';
import { startBankPickerDouble, type BankPickerDouble, type PickerScript } from './bank-picker-double.ts';

const routes = { ...patientRoutes, ...livePatientRoutes, ...mailPatientRoutes };
type RouteName = keyof typeof routes;

interface Refusal {
  readonly code: PatientProblemCode;
  readonly attemptsRemaining?: number;
}

type Answer = SessionView | Refusal | 'hang_up' | 'gateway_503' | 'gateway_429';

export interface PatientApiDouble {
  readonly url: string;
  /** Live only. */
  readonly stripe: BankPickerDouble | undefined;
  picker: PickerScript;
  session: SessionView | undefined;
  answers: Partial<Record<RouteName, () => Answer | Promise<Answer>>>;
  calls: {
    readonly route: RouteName;
    readonly body: unknown;
    readonly authorization: string | undefined;
    readonly language: string | undefined;
  }[];
  now: () => number;
  /** At first, sends a document only up to some of its words. */
  pause: { readonly before: string; readonly until: Promise<void> } | undefined;
  reset(): void;
  close(): Promise<void>;
}

const rewrite = await builtViewerFunction('rewriteLink');

async function documentFor({ url = '/', headers }: IncomingMessage): Promise<string> {
  const { pathname, search } = new URL(url, 'http://localhost');
  const { 'accept-language': acceptLanguage } = headers;
  const answer = await rewrite(
    {
      method: 'GET',
      uri: pathname,
      query: search.slice(1),
      headers: { ...(acceptLanguage !== undefined && { 'accept-language': acceptLanguage }) },
    },
    '127.0.0.1',
    'localhost',
  );
  return 'uri' in answer ? answer.uri : '';
}

export async function startPatientApiDouble(mode: Mode = 'sandbox'): Promise<PatientApiDouble> {
  const stripe = mode === 'live' ? await startBankPickerDouble() : undefined;
  const pages = await mkdtemp(join(tmpdir(), 'hosted-page-'));
  await buildHostedPage(pages, mode, { bankPicker: stripe, mails: true });

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const route = routeNames.find((name) => routes[name].method === request.method && routes[name].path === pathname);
    if (route) return answerCall(route, request, response);
    const path = await documentFor(request);
    const file = await readFile(join(pages, path), 'utf8').catch(() => undefined);
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicy,
    });
    const { before, until } = double.pause ?? {};
    const sent = before === undefined ? 0 : file.indexOf(before);
    response.write(file.slice(0, sent));
    await until;
    response.end(file.slice(sent));
  }

  async function answerCall(route: RouteName, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hasBody = request.headers['content-type'] === 'application/json';
    const body = routes[route].body.parse(hasBody ? await json(request) : undefined);
    const { calls } = double;
    calls.push({
      route,
      body,
      authorization: request.headers.authorization,
      language: request.headers['accept-language'],
    });
    const scripted = await double.answers[route]?.();
    if (route === 'startBankConnection' && scripted === undefined)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ publishableKey: 'pk_live_1', account: 'acct_1', clientSecret: double.picker }));
    if (route === 'mailCopy' && scripted === undefined)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    const answer = scripted ?? double.session ?? { code: 'link_not_found' };
    response.setHeader('date', new Date(double.now()).toUTCString());
    // The test that made this call may be over.
    if (answer === 'hang_up' || calls !== double.calls) return void response.destroy();
    if (answer === 'gateway_503')
      return void response
        .writeHead(503, { 'content-type': 'application/json' })
        .end('{"message":"Service Unavailable"}');
    if (answer === 'gateway_429')
      return void response
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' })
        .end('{"message":"Too Many Requests"}');
    if ('code' in answer) {
      const { status, title } = problems[answer.code];
      response
        .writeHead(status, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ type: 'about:blank', title, status, detail: title, ...answer }));
      return;
    }
    double.session = answer;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sessionView.parse(answer)));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The double has no port.');

  const double: PatientApiDouble = {
    url: `http://127.0.0.1:${address.port}`,
    stripe,
    picker: 'connects',
    session: undefined,
    answers: {},
    calls: [],
    now: Date.now,
    pause: undefined,
    reset() {
      // A page that is closed may have sent a call that was not read yet.
      server.closeAllConnections();
      double.session = undefined;
      double.picker = 'connects';
      stripe?.loads.splice(0);
      double.answers = {};
      double.calls = [];
      double.now = Date.now;
      double.pause = undefined;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stripe?.close();
      await rm(pages, { recursive: true, force: true });
    },
  };
  return double;
}

const routeNames: readonly RouteName[] = [
  'getSession',
  'openSession',
  'extendSession',
  'requestLink',
  'startBankConnection',
  'connectBank',
  'namePayer',
  'authorizePayment',
  'mailCopy',
];
