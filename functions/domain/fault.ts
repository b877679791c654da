/** An internal error. Its message contains no data, so it is safe to log. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** The default of an exhaustive switch: an unhandled case does not compile. */
export function unreachable(value: never): never {
  throw new Fault(`unexpected ${typeof value}`);
}
