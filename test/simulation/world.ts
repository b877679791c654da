import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** One invocation, or one request of a caller. */
export interface Task {
  readonly name: string;
  /** How many milliseconds its machine's clock is ahead. */
  readonly skew: number;
  /** Whether one of its calls had a fault. */
  hurt: boolean;
  dead: boolean;
  /** Its next call waits until this move, as on a slow machine. */
  awakeAt: number;
}

export type Ending<Result> =
  | { readonly how: 'done'; readonly result: Result }
  | { readonly how: 'threw'; readonly error: unknown }
  | { readonly how: 'crashed' };

type Fault = 'crash before' | 'crash after' | 'throttled' | 'silent before' | 'silent after';

/** How a call ends if the outside refuses it for now or does not answer. */
interface Refusals<Answer> {
  readonly throttled: () => Answer;
  readonly silent: () => Answer;
}

interface Call {
  readonly task: Task;
  readonly what: string;
  proceed(fault: Fault | undefined): Promise<void>;
  kill(): void;
}

/** Something that can start a task on its own, such as a queue that has a message. */
interface Source {
  ready(): boolean;
  begin(): void;
}

class Killed extends Error {}

/** The share of calls after which a task stalls, and for how many moves at most: enough for other tasks to begin and end. */
const stallRate = 0.05;
const longestStall = 80;

const faults: readonly Fault[] = ['crash before', 'crash after', 'throttled', 'silent before', 'silent after'];

/** Runs many tasks in one process. Each call to the outside waits until the seed chooses it, and only one is made at a time. */
export function createWorld(start: number) {
  const current = new AsyncLocalStorage<Task>();
  const calls: Call[] = [];
  const ends = new Map<Task, (ending: Ending<never>) => void>();
  const sources: Source[] = [];
  let random: () => number = () => 0;
  let faultRate = 0;
  let now = start;
  let moves = 0;

  const world = {
    trace: [] as string[],
    violations: new Set<string>(),
    sources,
    random: () => random(),
    chance: (probability: number) => random() < probability,
    /** Whether a fault happens that is `weight` times as likely as a call's. */
    fails: (weight: number) => random() < faultRate * weight,
    pick<Item>(items: readonly Item[]): Item | undefined {
      return items[Math.floor(random() * items.length)];
    },
    /** Uses other random numbers from here on. */
    follow(numbers: () => number, rate: number): void {
      random = numbers;
      faultRate = rate;
    },
    now: () => now,
    task: () => current.getStore()?.name ?? '',
    /** The clock of the machine that runs the task. */
    clock: () => now + (current.getStore()?.skew ?? 0),
    pass(milliseconds: number): void {
      now += milliseconds;
    },
    isIdle: () => ends.size === 0,

    /** Outside of a task, it performs the call at once. Whoever spoils the response says so. */
    async call<Answer>(
      what: string,
      perform: (spoil: () => void) => Promise<Answer>,
      refusals: Refusals<Answer>,
    ): Promise<Answer> {
      const task = current.getStore();
      if (!task) return perform(() => undefined);
      if (task.dead) throw new Killed(what);
      return new Promise<Answer>((resolve, reject) => {
        const attempt = async (fault: Fault | undefined): Promise<Answer> => {
          if (fault === 'throttled') return refusals.throttled();
          if (fault === 'silent before') return refusals.silent();
          const answer = await perform(() => void (task.hurt = true));
          return fault === 'silent after' ? refusals.silent() : answer;
        };
        calls.push({
          task,
          what,
          kill: () => reject(new Killed(what)),
          async proceed(fault) {
            // Nobody gets the response if a task crashes after its call.
            const done = fault === 'crash after' ? () => undefined : resolve;
            await attempt(fault).then(done, reject);
          },
        });
      });
    },

    /** Ends early if the signal aborts. */
    async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
      const task = current.getStore();
      if (!task || task.dead) throw new Killed('pause');
      await new Promise<void>((resolve, reject) => {
        const sleep: Call = {
          task,
          what: `pause ${milliseconds}`,
          kill: () => reject(new Killed('pause')),
          async proceed() {
            now += Math.max(0, milliseconds);
            resolve();
          },
        };
        calls.push(sleep);
        signal?.addEventListener('abort', () => {
          remove(calls, sleep);
          resolve();
        });
      });
    },

    start<Result>(
      name: string,
      work: () => Promise<Result>,
      ended: (ending: Ending<Result>, task: Task) => void,
    ): void {
      const skew = world.fails(1) ? Math.round((random() - 0.5) * 4000) : 0;
      const task: Task = { name, skew, hurt: skew !== 0, dead: false, awakeAt: 0 };
      const end = (ending: Ending<Result>) => {
        if (ends.delete(task)) ended(ending, task);
      };
      ends.set(task, end);
      world.trace.push(`start ${name}`);
      current.run(task, work).then(
        (result) => end({ how: 'done', result }),
        (error: unknown) => end({ how: 'threw', error }),
      );
    },

    /** False if there is nothing to do now. */
    async move(): Promise<boolean> {
      moves += 1;
      const ready = sources.filter((source) => source.ready());
      const awake = calls.filter(({ task }) => task.awakeAt <= moves);
      const next = awake.length + ready.length > 0 ? awake : calls;
      const choice = Math.floor(random() * (next.length + ready.length));
      const call = next[choice];
      if (call) await proceed(call);
      else ready[choice - next.length]?.begin();
      // Everything up to the next calls runs in microtasks.
      await nextTurn();
      return calls.length + ready.length > 0;
    },
  };

  async function proceed(call: Call): Promise<void> {
    const { task, what } = call;
    remove(calls, call);
    now += Math.floor(random() * 20);
    // The clock is set back.
    if (world.fails(0.05)) now -= Math.floor(random() * 5000);
    const fault = !what.startsWith('pause') && world.fails(1) ? world.pick(faults) : undefined;
    world.trace.push(`${task.name}: ${what}${fault === undefined ? '' : `, ${fault}`}`);
    if (fault !== undefined) task.hurt = true;
    if (fault === 'crash before') return crash(task, call);
    if (random() < stallRate) task.awakeAt = moves + Math.floor(random() * longestStall);
    await call.proceed(fault);
    if (fault === 'crash after') crash(task, call);
  }

  function crash(task: Task, call: Call): void {
    task.dead = true;
    call.kill();
    for (const other of calls.filter((each) => each.task === task)) {
      remove(calls, other);
      other.kill();
    }
    ends.get(task)?.({ how: 'crashed' });
  }

  return world;
}

export type World = ReturnType<typeof createWorld>;

function remove<Item>(items: Item[], item: Item): void {
  const index = items.indexOf(item);
  if (index !== -1) items.splice(index, 1);
}
