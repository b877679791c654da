import { AsyncLocalStorage } from 'node:async_hooks';

const traces = new AsyncLocalStorage<string | undefined>();

/** Everything that `act` logs, stores as an event or sends as a ticket names the API request that it goes back to. */
export function traced<Result>(requestId: string | undefined, act: () => Result): Result {
  return traces.run(requestId, act);
}

/** Undefined for work that goes back to no request, such as an expiration. */
export function tracedRequest(): string | undefined {
  return traces.getStore();
}
