import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const port = 4860;

export interface Started {
  /** From `npm start` to ready. */
  readonly milliseconds: number;
  /** What it prints from then on. */
  readonly lines: AsyncIterableIterator<string>;
  readonly payments: LocalPayments;
  stop(): Promise<void>;
}

/** Runs `npm start` until it is ready. */
export async function npmStart(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent', '--', '--port', String(port), '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let line = await lines.next(); !line.value?.startsWith('Ready'); line = await lines.next())
    if (line.done) throw new Error('npm start ended');
  const milliseconds = performance.now() - startedAt;
  return {
    milliseconds,
    lines,
    payments: localPayments(JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8'))),
    async stop() {
      const exited = once(child, 'exit');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type LocalPayments = ReturnType<typeof localPayments>;

interface Running {
  readonly apiUrl: string;
  readonly practice: {
    readonly apiKey: string;
    readonly testBankCredentials?: readonly { readonly username: string; readonly password: string }[];
  };
}

/** Calls a running stack as a practice's backend and its patients do. */
export function localPayments({ apiUrl, practice }: Running) {
  const json = { 'content-type': 'application/json' };
  const password = practice.testBankCredentials?.[0]?.password ?? '';

  /** One patient API call with a link's token. */
  async function ask(hostedUrl: string, path = '', body?: object) {
    const [origin = '', token = ''] = hostedUrl.split('/s/');
    const response = await fetch(`${origin}/api/patient/session${path}`, {
      method: path === '' ? 'GET' : 'POST',
      headers: { ...(body && json), authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  }

  return {
    password,
    ask,
    /** A new session's link. */
    async createSession(invoiceId: string): Promise<string> {
      const response = await fetch(`${apiUrl}/api/practice/sessions`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${practice.apiKey}` },
        body: JSON.stringify({ invoiceId, amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } }),
      });
      if (!response.ok) throw new Error(`create answered ${response.status}`);
      return (await response.json()).hostedUrl;
    },
    open: (hostedUrl: string) => ask(hostedUrl, '/open'),
    /** Signs in to the bank. Returns the function that authorizes the payment. */
    async connectBank(hostedUrl: string): Promise<() => Promise<unknown>> {
      const { authorization } = await ask(hostedUrl, '/bank-connection', { username: 'user_good', password });
      return () => ask(hostedUrl, '/payment', { authorizationAccepted: true, authorizationId: authorization.id });
    },
  };
}
