/** Maximum concurrent invocations per queue: together about a tenth of an account's usual 1,000. The APIs keep the rest. */
export const queueConcurrency = {
  submit: 20,
  settle: 20,
  send: 50,
  mail: 5,
  // The minimum that Lambda allows. With more, a mass expiration would delay other events in the outbox's stream.
  expire: 2,
} as const;

/** Used with `-c reserve=true`. Reserved for these functions, and their maximum. An account must keep 100 unreserved. */
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
