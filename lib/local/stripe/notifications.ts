import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StripeEvent } from './records.ts';

export interface SigningSecrets {
  /** Several while a secret is being rotated. Each one signs. */
  readonly platform: readonly string[];
  readonly connect: readonly string[];
}

export type Delivery = 'once' | 'twice' | 'reversed' | 'never';
export type Forgery = 'wrong_secret' | 'old_timestamp' | 'changed_body' | 'wrong_account';

interface Notifier {
  secrets: SigningSecrets;
  url: string | undefined;
  delivery: Delivery;
  /** The receiver's status, or 0 if it did not answer. */
  readonly sent: { event: string; type: string; status: number }[];
  notify(event: StripeEvent): void;
  /** Sends it again now. Returns the receiver's status. */
  resend(event: StripeEvent): Promise<number>;
  forge(event: StripeEvent, how: Forgery): Promise<number>;
  stop(): void;
}

/** Milliseconds between attempts. */
const retryDelays = [500, 2000, 10_000, 60_000, 600_000];
/** Milliseconds in which reversed notifications collect. */
const reversalWindow = 300;
const maximumWait = 10_000;
/** Seconds: twice Stripe's tolerance. */
const tooOld = 600;

export function createNotifier(secrets: SigningSecrets): Notifier {
  const stopped = new AbortController();
  let collected: StripeEvent[] = [];
  // One at a time, so that the order is known.
  let queue: Promise<unknown> = Promise.resolve();

  async function post(event: StripeEvent, body: string, signature: string): Promise<number> {
    const { url } = notifier;
    if (url === undefined) return 0;
    const status = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body,
      signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(maximumWait)]),
    }).then(
      (response) => response.status,
      () => 0,
    );
    notifier.sent.push({ event: event.id, type: event.type, status });
    return status;
  }

  const send = (event: StripeEvent) => {
    const body = JSON.stringify(event);
    return post(event, body, signatureOf(body, secretsFor(event), Date.now()));
  };
  const secretsFor = ({ account }: StripeEvent) =>
    account === undefined ? notifier.secrets.platform : notifier.secrets.connect;

  async function retry(event: StripeEvent): Promise<void> {
    for (const delay of retryDelays) {
      await pause(delay, undefined, { signal: stopped.signal, ref: false });
      if (succeeded(await send(event))) return;
    }
  }

  function enqueue(event: StripeEvent): void {
    queue = queue.then(async () => {
      if (!succeeded(await send(event))) retry(event).catch(() => undefined);
    });
  }

  const notifier: Notifier = {
    secrets,
    url: undefined,
    delivery: 'once',
    sent: [],
    notify(event) {
      if (notifier.url === undefined) return;
      switch (notifier.delivery) {
        case 'never':
          return;
        case 'once':
          enqueue(event);
          return;
        case 'twice':
          enqueue(event);
          enqueue(event);
          return;
        case 'reversed':
          if (collected.push(event) > 1) return;
          setTimeout(() => {
            for (const each of collected.toReversed()) enqueue(each);
            collected = [];
          }, reversalWindow).unref();
          return;
        default:
          notifier.delivery satisfies never;
      }
    },
    resend: send,
    forge(event, how) {
      const body = JSON.stringify(event);
      const now = Date.now();
      switch (how) {
        case 'wrong_secret':
          return post(event, body, signatureOf(body, ['whsec_of_somebody_else'], now));
        case 'old_timestamp':
          return post(event, body, signatureOf(body, secretsFor(event), now - tooOld * 1000));
        case 'changed_body':
          return post(event, body.replace(event.type, 'charge.succeeded '), signatureOf(body, secretsFor(event), now));
        case 'wrong_account': {
          // Correctly signed: another connected account says the payment is its own.
          const other = JSON.stringify({ ...event, id: `${event.id}x`, account: 'acct_ofsomebodyelse' });
          return post(event, other, signatureOf(other, notifier.secrets.connect, now));
        }
        default:
          return how satisfies never;
      }
    },
    stop: () => stopped.abort(),
  };
  return notifier;
}

function signatureOf(body: string, secrets: readonly string[], now: number): string {
  const time = Math.floor(now / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  );
  return [`t=${time}`, ...signatures].join(',');
}

function succeeded(status: number): boolean {
  return status >= 200 && status < 300;
}
