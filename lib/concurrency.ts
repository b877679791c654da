/** Invocations at once, of an account's quota of usually 1,000. A tenth is the most that all queues take from the APIs. */
export const queueConcurrency = {
  submit: 20,
  settle: 20,
  send: 50,
  mail: 5,
  // The fewest that Lambda allows. Faster, a mass expiration would hold up the other events in the outbox's stream.
  expire: 2,
} as const;

/** With `-c reserve=true`: kept free for these, and their most. An account must keep 100 for the others. */
export const reservedConcurrency = {
  submit: queueConcurrency.submit,
  settle: queueConcurrency.settle,
  publish: 20,
  sweep: 2,
} as const;

/** Throws for anything but `true` and `false`. */
export function reserveOf(reserve: string | undefined): boolean {
  if (reserve !== undefined && reserve !== 'true' && reserve !== 'false')
    throw new Error('-c reserve must be true or false.');
  return reserve === 'true';
}
