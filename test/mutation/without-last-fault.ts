/** The worker outlives a run. Without this, code outside of a file's tests would run with the last run's fault and end every later run. */
const stryker: unknown = Reflect.get(globalThis, '__stryker__');
if (typeof stryker === 'object' && stryker !== null) Reflect.set(stryker, 'activeMutant', undefined);
