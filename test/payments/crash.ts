import type { Operation } from '../../functions/store/dynamodb.ts';
import { aroundEachCall } from '../support/answered-client.ts';
import type { Tables, TestDatabase } from '../support/tables.ts';

export interface Crash {
  calls: number;
  dead: boolean;
  /** Spared calls do not count. */
  spares: boolean;
  guard<Answer>(perform: () => Promise<Answer>): Promise<Answer>;
}

/** With `after`, the write succeeds, but its response is lost. */
export function crashAt(call: number, moment: 'before' | 'after'): Crash {
  const die = (crash: Crash): never => {
    crash.dead = true;
    throw new Error('killed');
  };
  return {
    calls: 0,
    dead: false,
    spares: false,
    async guard(perform) {
      if (this.spares) return perform();
      this.calls += 1;
      const fatal = this.calls === call;
      if (this.dead || (fatal && moment === 'before')) return die(this);
      const answer = await perform();
      return fatal ? die(this) : answer;
    },
  };
}

/** Runs something else just before this write. */
export function before(write: number, happen: () => Promise<unknown>): Crash {
  return {
    calls: 0,
    dead: false,
    spares: false,
    async guard(perform) {
      this.calls += 1;
      if (this.calls === write) await happen();
      return perform();
    },
  };
}

const reads: readonly Operation[] = ['GetItem', 'BatchGetItem', 'Query'];

export function crashingDatabase({ database }: Tables, crash: Crash): TestDatabase {
  return aroundEachCall(database, async ({ operation }, perform) =>
    reads.includes(operation) ? perform() : crash.guard(perform),
  );
}
