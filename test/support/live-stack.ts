import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, vi } from 'vitest';
import { makeReady } from '../../bin/local/stripe.ts';
import type { StripeEvent } from '../../lib/local/stripe/records.ts';
import { assemblyWith } from './live-assembly.ts';
import { startSharedStack, type TestPractice } from './local-stack.ts';
import { patientOf, succeeded, type Answer } from './patient.ts';
import { patience } from './until.ts';
import { startStripe, type TestStripe } from './stripe.ts';

let practices = 0;

/**
 * Like `onStack`, with the production stage. A file that restores a stack or settles its charges otherwise starts its own.
 * It does not extend `onStack`, which would start another browser.
 */
export const onLiveStack = test
  .extend('live', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const live = await startSharedLiveStack();
    onCleanup(() => live.stop());
    return live;
  })
  // This file's own practice, with an account at Stripe.
  .extend('ownLive', { scope: 'file' }, ({ live }) => live.openPractice(`live-practice-${(practices += 1)}.example`));

interface LiveSession {
  readonly sessionId: string;
  readonly hostedUrl: string;
}

export interface LivePractice extends Omit<TestPractice, 'connect' | 'pay'> {
  readonly stripe: TestStripe;
  /** The practice's account at Stripe. */
  readonly depositAccountId: string;
  /** Changes the secret in Secrets Manager. */
  changeSecret(differences: { secretKey?: string; connectWebhookSecret?: string }): void;
  /** The patient connects a bank from banks.ts, but creates no debit yet. */
  connectAt(bank: string, differences?: object): Promise<LiveSession & { readonly connection: Answer }>;
  /** The patient authorizes a debit at a bank from banks.ts. */
  payAt(bank: string, differences?: object): Promise<LiveSession>;
  /** Waits until Stripe has taken the debit of a session. */
  debitOf(sessionId: string): Promise<StripeEvent>;
}

interface LiveStack extends LivePractice {
  stop(): Promise<void>;
}

/** A stack with one practice. */
export async function startLiveStack(chargeType?: 'direct' | 'destination'): Promise<LiveStack> {
  const shared = await startSharedLiveStack(chargeType);
  return { ...(await shared.openPractice()), stop: () => shared.stop() };
}

interface SharedLiveStack {
  /** A practice that takes live payments. */
  openPractice(domain?: string): Promise<LivePractice>;
  stop(): Promise<void>;
}

const secretName = 'stripe';
/** Milliseconds until a bank answers. */
const outcomeDelay = 300;

/** The production stage on this machine, with its own Stripe. */
async function startSharedLiveStack(chargeType: 'direct' | 'destination' = 'direct'): Promise<SharedLiveStack> {
  const stripe = await startStripe({ outcomeDelay });
  const directory = await mkdtemp(join(tmpdir(), 'payment-live-'));
  const { apiBase, scriptUrl, secretKey, publishableKey, webhookSecret, connectWebhookSecret } = stripe;
  const assembly = await assemblyWith({ apiBase, scriptUrl }, chargeType, join(directory, 'assembly'));
  const secret = { secretKey, publishableKey, webhookSecret, connectWebhookSecret };
  const secrets = { [secretName]: JSON.stringify(secret) };
  const shared = await startSharedStack({ assembly, secrets });
  await stripe.control.notify({ url: `${shared.apiUrl}/api/processor/stripe` });

  async function openPractice(domain?: string): Promise<LivePractice> {
    const service = await shared.openPractice(domain);
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
      async debitOf(sessionId) {
        const isOurs = ({ type, data }: StripeEvent) =>
          type === 'payment_intent.processing' && JSON.stringify(data.object['metadata']).includes(sessionId);
        return vi.waitUntil(async () => (await stripe.control.read()).events.find(isOurs), patience);
      },
    };
  }

  return {
    openPractice,
    async stop() {
      await shared.stop();
      await stripe.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
