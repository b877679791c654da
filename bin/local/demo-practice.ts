import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { createPractice } from '../../functions/practices/create.ts';
import { getSigningSecret } from '../../functions/webhooks/signing-secrets.ts';
import { placeEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { author } from '../practice/command.ts';
import {
  createdPractice,
  readLastStackFile,
  type CreatedPractice,
  type DemoPlatform,
  type DemoPractice,
} from '../practice/files.ts';
import type { OperatedStack } from '../practice/stack.ts';
import { makeKey } from '../../functions/practices/keys.ts';
import { updateSettings } from '../../functions/practices/settings.ts';
import { requireEndpoint } from '../../functions/webhooks/requirements.ts';
import { testEndpoint } from '../../functions/webhooks/resend.ts';
import { SetupError } from '../../lib/local/setup-error.ts';
import { defaultTopics, roles, userIdOf, type Member, type Role } from '../../functions/domain/team/member.ts';
import { newAuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { parseApiKey } from '../../functions/domain/practices/api-key.ts';
import { toIso } from '../../functions/domain/time.ts';
import { createApiKey, getApiKey } from '../../functions/store/practices/api-keys.ts';
import { insert } from '../../functions/store/rows.ts';
import type { LocalStack } from '../../lib/local/stack.ts';
import { generatePassword } from '../../lib/local/user-pool.ts';
import {
  practiceJoinedWebhook,
  practiceLeftWebhook,
  sessionWebhook,
  testWebhook,
} from '../../functions/contract/webhooks/webhooks.ts';

/** Finds or creates the demo practice, and starts the webhook receiver of both. */
export async function startDemo(
  operated: OperatedStack,
  dataDir: string,
  port: number,
  platform?: DemoPlatform,
): Promise<{ practice: CreatedPractice; receiver: DemoReceiver }> {
  const practice = await findDemo(operated, dataDir, `http://127.0.0.1:${port}/webhooks`);
  const ofPlatform = platform && { practiceId: platform.platformId, endpointId: platform.endpointId };
  const pathOfPlatform = platform && new URL(platform.webhookUrl).pathname;
  const secretOf = (path: string) =>
    getSigningSecret(operated, ofPlatform && path === pathOfPlatform ? ofPlatform : practice);
  const receiver = await startDemoReceiver(
    port,
    secretOf,
    (webhook) => console.log(`webhook      ${webhook.type}  ${whatOf(webhook)}verified  ${webhook.id}`),
    () => console.log('webhook      refused: it is not signed with the secret of its endpoint'),
  );
  return { receiver, practice };
}

type DemoTools = Pick<OperatedStack, 'database' | 'mode' | 'randomBytes' | 'putFile' | 'allowLoopbackWebhooks'>;

export async function findDemo(tools: DemoTools, dataDir: string, webhookUrl: string): Promise<CreatedPractice> {
  const contact = {
    supportPhone: '+1 555 010 0100',
    supportEmail: 'billing@lakeside.example',
    postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
  };
  const last = (await readLastStackFile(dataDir))?.practice;
  const practice = last
    ? { ...last, apiKey: await lastingKey(tools, last) }
    : createdPractice.parse(
        await createPractice(tools, { name: 'Lakeside Family Practice', webhookUrl, ...contact, author }, Date.now()),
      );
  const { endpointId, signingSecret } = await placeEndpoint(
    tools,
    { ...practice, url: webhookUrl, author },
    Date.now(),
  );
  return { ...practice, endpointId, signingSecret, webhookUrl };
}

/** The last run's key, or a new one if that was revoked or will expire, as after a rotation. */
async function lastingKey(tools: DemoTools, { practiceId, apiKey }: DemoPractice): Promise<string> {
  if (await isLastingKey(tools, apiKey)) return apiKey;
  return insertKey(tools, practiceId, 'Demo key', Date.now());
}

export async function isLastingKey({ database }: Pick<DemoTools, 'database'>, apiKey: string): Promise<boolean> {
  const parsed = parseApiKey(apiKey);
  const row = parsed && (await getApiKey(database, parsed.keyId));
  return row !== undefined && row.revokedAt === undefined && row.expiresAt === undefined;
}

interface Demo {
  readonly practiceId: string;
  readonly endpointId: string;
}

type KeyTools = Pick<OperatedStack, 'database' | 'mode' | 'randomBytes' | 'putFile' | 'sendDeliveries'>;

/** Does what a live practice must do before it can get a key, then adds the key. The receiver must be running. */
export async function issueFirstKey(operated: KeyTools, { practiceId, endpointId }: Demo): Promise<string> {
  await updateSettings(operated, { practiceId, author, primaryColor: '#0f766e' }, Date.now());
  await testEndpoint(operated, { practiceId, endpointId, author }, Date.now());
  await waitForDelivery(operated, { practiceId, endpointId });
  return insertKey(operated, practiceId, 'First key', Date.now());
}

/** Works even if the practice is not ready: another Stripe may say at any time that its account is not. */
async function insertKey(
  { database, mode, randomBytes }: Pick<KeyTools, 'database' | 'mode' | 'randomBytes'>,
  practiceId: string,
  name: string,
  now: number,
): Promise<string> {
  const { apiKey, row } = makeKey({ mode, randomBytes }, { practiceId, name }, now);
  const entry = newAuditEntry(
    { randomBytes },
    { practiceId, author, action: 'api_key.created', target: row.keyId, details: { name: row.name } },
    now,
  );
  if (!(await createApiKey(database, row, entry)))
    throw new SetupError('The demo practice is closed. Start again with --fresh.');
  return apiKey;
}

async function waitForDelivery({ database }: KeyTools, endpoint: Demo): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    const { firstDeliveredAt } = await requireEndpoint(database, endpoint);
    if (firstDeliveredAt !== undefined) return;
    await wait(100);
  }
  throw new SetupError("The test event did not reach the demo's receiver. Start again with --fresh.");
}

export interface DashboardUser {
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

/** Finds or creates a member of the practice for each role, at an address of `domain`. They share a password. */
export async function seedUsers(
  { users, issuer }: Pick<LocalStack, 'users' | 'issuer'>,
  { database }: Pick<OperatedStack, 'database'>,
  practiceId: string,
  now: number,
  domain = 'lakeside.example',
): Promise<DashboardUser[]> {
  const emailOf = (role: Role) => `${role}@${domain}`;
  const password = users.byEmail(emailOf('admin'))?.password ?? generatePassword();
  return Promise.all(
    roles.toReversed().map(async (role) => {
      const user = users.create({ email: emailOf(role), password });
      const identity = { issuer, subject: user.subject };
      const seeded: Member = {
        ...identity,
        userId: userIdOf(identity),
        email: user.email,
        practiceId,
        role,
        mailTopics: defaultTopics(role),
        createdAt: toIso(now),
      };
      await insert(database, 'members', seeded, 'userId');
      return { email: user.email, password: user.password, role };
    }),
  );
}

export interface DemoReceiver {
  readonly url: string;
  stop(): Promise<void>;
}

const webhook = z.union([sessionWebhook, practiceJoinedWebhook, practiceLeftWebhook, testWebhook]);

/** Which invoice it is about, or which practice joined or left. */
function whatOf({ practiceId, data }: z.infer<typeof webhook>): string {
  if ('status' in data) return `${data.invoiceId}  ${data.status}  `;
  return 'joinedAt' in data ? `${practiceId}  ` : '';
}

export function startDemoReceiver(
  port: number,
  secretOf: (path: string) => Promise<string>,
  onWebhook: (received: z.infer<typeof webhook>) => void,
  onRefused: () => void,
): Promise<DemoReceiver> {
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const verified = new Webhook(await secretOf(request.url ?? '')).verify(body, headers);
      onWebhook(webhook.parse(verified));
      response.writeHead(204).end();
    } catch {
      onRefused();
      response.writeHead(400).end('the webhook could not be verified');
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', () =>
      reject(new SetupError(`Port ${port} is taken. Free it, or choose other ports with --port N.`)),
    );
    server.listen(port, '127.0.0.1', () => {
      resolve({
        url: `http://127.0.0.1:${port}/webhooks`,
        stop: () =>
          new Promise((done) => {
            server.close(() => done()).closeAllConnections();
          }),
      });
    });
  });
}
