/** Its message contains no data, so it is safe to log. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** A service we depend on throttles us or does not answer. The work may or may not be done; repeating it is safe. */
export class Unavailable extends Fault {}

/** The code that Node gives an error. Empty if there is none. */
export function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

export function unreachable(value: never): never {
  throw new Fault(`unexpected ${typeof value}`);
}
