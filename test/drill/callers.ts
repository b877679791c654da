import { setTimeout as wait } from 'node:timers/promises';
import { isProblem } from '../../web/client/index.ts';
import type { Answer } from '../support/patient.ts';

type Ask = <Answered>(call: () => Promise<Answered>) => Promise<Answered | undefined>;

export interface Callers {
  /** Repeats a call until it is answered. Undefined if it was refused, or if the caller gave up without knowing. */
  ask: Ask;
  /** Does the same for a page, for which a refusal is an answer. */
  askPage<Answered extends Pick<Answer, 'status' | 'body'>>(
    call: () => Promise<Answered>,
  ): Promise<Answered | undefined>;
  /** Calls wait from `closed` to `opened`. */
  opened(): void;
  closed(): void;
  /** How calls ended. */
  readonly counts: Record<'answered' | 'refused' | 'unanswered' | 'failed' | 'hung', number>;
}

/** In milliseconds. A function's own timeout is shorter. */
const patience = 60_000;

/** Callers of a service that may end at any time. They give up on one in five calls that stay unanswered. */
export function startCallers(random: () => number): Callers {
  const counts = { answered: 0, refused: 0, unanswered: 0, failed: 0, hung: 0 };
  let gate = Promise.withResolvers<void>();

  async function attempt<Answered>(call: () => Promise<Answered>): Promise<Answered> {
    const limit = new AbortController();
    const hung = wait(patience, undefined, { signal: limit.signal, ref: false }).then(() => {
      counts.hung += 1;
      throw new Error('no answer in time');
    });
    hung.catch(() => undefined);
    try {
      return await Promise.race([call(), hung]);
    } finally {
      limit.abort();
    }
  }

  const ask: Ask = async (call) => {
    for (;;) {
      await gate.promise;
      try {
        const answer = await attempt(call);
        counts.answered += 1;
        return answer;
      } catch (error) {
        if (isProblem(error) && error.status < 500 && error.code !== 'rate_limited') {
          counts.refused += 1;
          return undefined;
        }
        counts[isProblem(error) && error.status >= 500 ? 'failed' : 'unanswered'] += 1;
        if (random() < 0.2) return undefined;
        await wait(100);
      }
    }
  };

  return {
    ask,
    askPage: async (call) =>
      ask(async () => {
        const answer = await call();
        if (answer.status >= 500) counts.failed += 1;
        if (answer.status >= 500 || answer.status === 429) throw new Error(`answered ${answer.status}`);
        return answer;
      }),
    opened: () => gate.resolve(),
    closed: () => void (gate = Promise.withResolvers()),
    counts,
  };
}
