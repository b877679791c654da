import { readFile } from 'node:fs/promises';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { standInWebhookSecret } from '../../bin/local/stripe.ts';
import { openLocal, type OperatedStack } from '../../bin/practice/stack.ts';
import type { StackFile } from '../../bin/practice/files.ts';
import { practiceScopes } from '../../functions/domain/practices/api-key.ts';
import { minute } from '../../functions/domain/time.ts';
import { createPaymentClient } from '../../web/client/index.ts';
import { operatorFileIn } from '../drill/kept.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import type { Words } from '../support/hostile-requests.ts';
import type { HttpRequest } from '../support/http-request.ts';
import { patientOf } from '../support/patient.ts';
import { runCommand } from '../support/run-command.ts';
import type { Caller, NamedTarget } from './targets.ts';

export interface Attacked {
  readonly urls: Pick<StackFile, 'apiUrl' | 'hostedUrl' | 'dashboardUrl'>;
  /** Signs what comes from Stripe. */
  readonly webhookSecret: string;
  /** The resource that a batch of requests to the target is about, new for each batch. */
  victimOf(target: NamedTarget): Promise<Words>;
}

interface Service extends Pick<Attacked, 'urls' | 'webhookSecret'> {
  readonly operated: OperatedStack;
  readonly practiceId: string;
  readonly platform?: StackFile['platform'];
}

/** The stack that `npm start` runs on a directory. */
export async function attackedStack(dataDir: string): Promise<Attacked> {
  const started: StackFile = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8'));
  const { apiUrl, hostedUrl, dashboardUrl, practice, platform } = started;
  return attackedService({
    urls: { apiUrl, hostedUrl, dashboardUrl },
    webhookSecret: standInWebhookSecret,
    operated: openLocal(await operatorFileIn(dataDir), dataDir),
    practiceId: practice.practiceId,
    platform,
  });
}

export async function attackedService(service: Service): Promise<Attacked> {
  const { urls, webhookSecret, operated, practiceId, platform } = service;
  const { apiUrl, dashboardUrl } = urls;
  await runCommand(operated, 'update', { practice: practiceId, rateLimit: '10000' });
  const wanted = { practice: practiceId, name: 'Attacker', scopes: practiceScopes.join(',') };
  const { apiKey } = await runCommand<{ apiKey: string }>(operated, 'add-key', wanted);
  const client = createPaymentClient({ apiUrl, apiKey });

  let member: { cookie: string; until: number } | undefined;
  /** Signed in recently enough for every route. */
  async function signedIn(target: string): Promise<string> {
    const needsOwn = /signOut|Member/.test(target);
    if (needsOwn || !member || member.until < Date.now()) {
      const { cookie } = await dashboardUser({ operated, dashboardUrl }, { practiceId, role: 'admin' });
      if (needsOwn) return cookie;
      member = { cookie, until: Date.now() + 3 * minute };
    }
    return member.cookie;
  }

  async function readPassword(): Promise<string> {
    const { testBankCredentials: [first] = [] } = await runCommand<Partial<StackFile['practice']>>(operated, 'show', {
      practice: practiceId,
    });
    return first?.password ?? 'none';
  }

  return {
    urls,
    webhookSecret,
    async victimOf({ path, caller, name }) {
      const { sessionId, hostedUrl: link } = await client.sessions.create({
        invoiceId: `INV-${Math.random()}`,
        amountCents: 18_250,
        patient: { firstName: 'Ada', lastName: 'Okafor' },
      });
      const token = link.split('/s/')[1] ?? '';
      const isPlatforms = caller === 'platform';
      const [ofPlatform] = platform?.practices ?? [];
      const parameters: Record<string, string> = {
        sessionId,
        practiceId: isPlatforms ? (ofPlatform?.practiceId ?? practiceId) : practiceId,
        token,
      };
      if (path.includes('{endpointId}')) parameters['endpointId'] = await newEndpoint(operated, practiceId);
      if (path.includes('{keyId}')) {
        const key = await runCommand(operated, 'add-key', { practice: practiceId, name: 'Attacked' });
        parameters['keyId'] = String(key['keyId']);
      }
      const password = await readPassword();
      const offered = name.includes('authorizePayment')
        ? (await patientOf(link).connectBank('user_stuck', password)).body['authorization']
        : undefined;
      const credentials: Record<Caller, string> = {
        practice: apiKey,
        platform: platform?.apiKey ?? apiKey,
        patient: token,
        member: caller === 'member' ? await signedIn(name) : '',
        stripe: webhookSecret,
      };
      return {
        SESSION_ID: sessionId,
        PASSWORD: password,
        AUTHORIZATION_ID: String(Object(offered)['id'] ?? 'none'),
        CREDENTIAL: credentials[caller],
        OTHER_CREDENTIAL: caller === 'patient' ? apiKey : token,
        PARAMETERS: parameters,
      };
    },
  };
}

/** Replaces the previous one: a practice may have only so many. */
async function newEndpoint(operated: OperatedStack, practice: string): Promise<string> {
  const { endpoints } = await runCommand<{ endpoints: { endpointId: string; url: string }[] }>(
    operated,
    'list-webhooks',
    { practice },
  );
  for (const { endpointId, url } of endpoints)
    if (url.endsWith('/in')) await runCommand(operated, 'delete-webhook', { practice, endpoint: endpointId });
  const added = await runCommand(operated, 'add-webhook', { practice, url: 'http://127.0.0.1:1/in' });
  return String(added['endpointId']);
}

/** Adds the caller's credential in the way that the target's API expects. */
export function signed(request: HttpRequest, { caller, method }: NamedTarget, webhookSecret: string): HttpRequest {
  const headers = request.headers.flatMap(([name, value]): (readonly [string, string])[] => {
    if (name !== 'authorization') return [[name, value]];
    const credential = value.replace(/^Bearer /, '');
    if (caller === 'member') return [['cookie', credential]];
    if (caller !== 'stripe') return [[name, value]];
    if (credential !== webhookSecret) return [['stripe-signature', value]];
    const time = Math.floor(Date.now() / 1000);
    const mac = createHmac('sha256', webhookSecret).update(`${time}.`).update(request.body).digest('hex');
    return [['stripe-signature', `t=${time},v1=${mac}`]];
  });
  if (caller === 'member' && method === 'POST') headers.push(['x-dashboard', '1'], ['sec-fetch-site', 'same-origin']);
  return { ...request, headers };
}
