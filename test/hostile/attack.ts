import * as fc from 'fast-check';
import type { StackOptions } from '../drill/stack-process.ts';
import { hostileRequests, withWords, type HostileRequest } from '../support/hostile-requests.ts';
import { sendHttp } from '../support/http-request.ts';
import { codeOf, faultsOf } from './faults.ts';
import { rawFaultsOf, rawRequests, sendBytes } from './raw.ts';
import type { NamedTarget } from './targets.ts';
import { signed, type Attacked } from './victims.ts';

interface Attack {
  readonly stage: StackOptions['stage'];
  /** At least one. */
  readonly targets: readonly NamedTarget[];
  readonly withRaw: boolean;
  readonly requests: number;
  /** How many requests are about one victim. */
  readonly batch?: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

const atOnce = 16;
/** One in this many batches consists of raw bytes. */
const rawShare = 10;
/** In milliseconds. */
const patience = 120_000;
const mostTold = 50;

/** Sends batches to one target after another. A batch's number decides what is in it. */
export async function attack({ urls, webhookSecret, victimOf }: Attacked, plan: Attack) {
  const { stage, targets, withRaw, requests, batch = 50, seed, log } = plan;
  const answers: Record<string, number> = {};
  let sent = 0;
  let raw = 0;
  let targeted = 0;
  let overloaded = 0;
  let faults = 0;

  function tell(fault: string): void {
    faults += 1;
    if (faults <= mostTold) log(fault);
  }

  async function inParallel<Item>(items: readonly Item[], send: (item: Item) => Promise<void>): Promise<void> {
    const left = [...items];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let item = left.pop(); item !== undefined; item = left.pop()) await send(item);
      }),
    );
    sent += items.length;
  }

  async function attackRoute(target: NamedTarget, ofBatch: number): Promise<void> {
    const victim = await victimOf(target);
    const hostile = fc.sample(fc.noBias(hostileRequests(target)), { seed: ofBatch, numRuns: batch });
    const late: HostileRequest[] = [];

    async function send(each: HostileRequest, isAlone: boolean): Promise<void> {
      const request = signed(withWords(each, victim), target, webhookSecret);
      const found = await sendHttp(urls[target.host], request, patience).then(
        (answer) => {
          if (!isAlone && codeOf(answer.body) === 'temporarily_unavailable') {
            late.push(each);
            return [];
          }
          const kind = answer.status < 400 ? String(answer.status) : `${answer.status} ${codeOf(answer.body)}`;
          answers[kind] = (answers[kind] ?? 0) + 1;
          return faultsOf(request, answer, target).map((fault) => `${fault}: ${answer.body.slice(0, 300)}`);
        },
        (error: unknown) => [`no answer: ${String(error)}`],
      );
      const shown = JSON.stringify({ ...each, body: String(each.body).slice(0, 300) });
      for (const fault of found) tell(`${target.name}, batch ${ofBatch}: ${fault}\n  ${shown.slice(0, 1500)}`);
    }

    await inParallel(hostile, async (each) => send(each, false));
    // Their functions timed out, as on a busy machine. Sent alone, they must not.
    overloaded += late.length;
    for (const each of late) await send(each, true);
  }

  async function attackHost(ofBatch: number): Promise<void> {
    const origins = Object.values(urls);
    const origin = origins[ofBatch % origins.length] ?? '';
    await inParallel(fc.sample(rawRequests, { seed: ofBatch, numRuns: batch }), async (bytes) => {
      raw += 1;
      const found = await sendBytes(origin, bytes, patience).then(rawFaultsOf, (error: unknown) => [
        `no connection: ${String(error)}`,
      ]);
      for (const fault of found)
        tell(
          `raw bytes to ${origin}, batch ${ofBatch}: ${fault}\n  ${JSON.stringify(bytes.toString('latin1')).slice(0, 600)}`,
        );
    });
  }

  for (let index = 0; sent < requests; index += 1) {
    const ofBatch = Math.imul(seed, 0x9e3779b1) + index;
    const target = targets[targeted % targets.length];
    if (withRaw && index % rawShare === 0) await attackHost(ofBatch >>> 0);
    else if (target) {
      targeted += 1;
      await attackRoute(target, ofBatch | 0);
    }
    if (index % 100 === 0) log(`${stage}: ${sent} requests, ${faults} faults`);
  }
  return { faults, figures: { targets: targets.length, sent, raw, overloaded, answers } };
}
