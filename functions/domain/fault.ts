/** A fault that we found ourselves, in words without data, so that its message may be logged. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
}

/** Ends a switch over all cases: a case that is added and not handled does not compile. */
export function unreachable(value: never): never {
  throw new ServiceFault(`unexpected ${typeof value}`);
}
