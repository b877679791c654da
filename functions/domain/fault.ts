/** A fault that we found ourselves, in words without data, so that its message may be logged. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** Ends a switch over all cases: a case that is added and not handled does not compile. */
export function unreachable(value: never): never {
  throw new Fault(`unexpected ${typeof value}`);
}
