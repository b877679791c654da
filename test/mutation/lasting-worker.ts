import { ForksPoolWorker, type PoolRunnerInitializer, type WorkerResponse } from 'vitest/node';

let worker: ForksPoolWorker | undefined;

/** Vitest ends its worker after each run, and each fault is a run: loading everything again takes longer than the tests. */
export const lastingPool: PoolRunnerInitializer = {
  name: 'lasting',
  createPoolWorker(options) {
    const isNew = worker === undefined;
    const current = (worker ??= new ForksPoolWorker(options));
    const listeners: [event: string, callback: (message: unknown) => void][] = [];
    return {
      name: 'lasting',
      cacheFs: true,
      async start() {
        if (!isNew) return;
        await current.start();
        current.on('exit', () => (worker = undefined));
      },
      on(event, callback) {
        listeners.push([event, callback]);
        current.on(event, callback);
      },
      off: (event, callback) => current.off(event, callback),
      send(message) {
        if (message.type !== 'stop') return current.send(message);
        const stopped: WorkerResponse = { type: 'stopped', __vitest_worker_response__: true };
        for (const [event, callback] of listeners) if (event === 'message') callback(stopped);
      },
      async stop() {
        for (const [event, callback] of listeners) current.off(event, callback);
      },
      deserialize: (data) => data,
    };
  },
};

export async function endLastingWorker(): Promise<void> {
  await worker?.stop();
}
