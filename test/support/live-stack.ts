import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeReady } from '../../bin/local/go-live.ts';
import { synthesize } from '../../lib/synthesize.ts';
import { bundlesOf } from './bundles.ts';
import { startTestStack, type TestStack } from './local-stack.ts';
import { patientOf, succeeded, type Answer } from './patient.ts';
import { startStripe, type TestStripe } from './stripe.ts';

interface LiveSession {
  readonly sessionId: string;
  readonly hostedUrl: string;
}

export interface LiveStack extends Omit<TestStack, 'connect' | 'pay'> {
  readonly stripe: TestStripe;
  /** The practice's account at Stripe. */
  readonly depositAccountId: string;
  /** In Secrets Manager. */
  changeSecret(differences: { secretKey?: string; connectWebhookSecret?: string }): void;
  /** A patient creates no debit yet: a bank of banks.ts is connected. */
  connectAt(bank: string, differences?: object): Promise<LiveSession & { readonly connection: Answer }>;
  /** A patient authorizes a debit at a bank of banks.ts. */
  payAt(bank: string, differences?: object): Promise<LiveSession>;
}

interface Options {
  readonly chargeType?: 'direct' | 'destination';
  /** Milliseconds until a bank answers. */
  readonly outcomeDelay?: number;
  /** Kept by `stop`. */
  readonly dataDir?: string;
}

const secretName = 'stripe';

/** The production stage on this machine, with a Stripe of its own and a practice that takes live payments. */
export async function startLiveStack({
  chargeType = 'direct',
  outcomeDelay = 300,
  dataDir,
}: Options = {}): Promise<LiveStack> {
  const stripe = await startStripe({ outcomeDelay });
  const outdir = await mkdtemp(join(tmpdir(), 'payment-live-assembly-'));
  const { apiBase, scriptUrl, secretKey, publishableKey, webhookSecret, connectWebhookSecret } = stripe;
  const assembly = await synthesize({
    stage: 'production',
    local: true,
    outdir,
    functions: await bundlesOf('live'),
    stripe: { secret: secretName, chargeType, apiBase, scriptUrl, allowTestKeys: true },
  });
  const secret = { secretKey, publishableKey, webhookSecret, connectWebhookSecret };
  const secrets = { [secretName]: JSON.stringify(secret) };
  const service = await startTestStack({ assembly, secrets, ...(dataDir !== undefined && { dataDir }) });
  await stripe.control.notify({ url: `${service.apiUrl}/api/processor/stripe` });
  const { id: depositAccountId } = await stripe.control.createAccount();
  await makeReady(service.operated, service.practice.practiceId, depositAccountId, Date.now());

  async function connectAt(bank: string, differences?: object) {
    const link = await service.createSession(differences);
    const patient = patientOf(link.hostedUrl);
    const { body } = succeeded(await patient.startConnection());
    await stripe.control.connectBank(String(body['clientSecret']), bank);
    return { ...link, patient, connection: await patient.finishConnection() };
  }

  return {
    ...service,
    stripe,
    depositAccountId,
    changeSecret(differences) {
      secrets[secretName] = JSON.stringify(Object.assign(secret, differences));
    },
    connectAt,
    async payAt(bank, differences) {
      const { patient, connection, ...link } = await connectAt(bank, differences);
      succeeded(connection);
      succeeded(await patient.authorize());
      return link;
    },
    async stop() {
      await service.stop();
      await stripe.stop();
      await rm(outdir, { recursive: true, force: true });
    },
  };
}
